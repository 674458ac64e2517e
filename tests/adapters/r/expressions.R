# Functions of rows, each with noise that is followed through other functions of R: what they put out when they are recorded must be what
# they put out with that seed. The first row is the name of a function: Rscript expressions.R ADAPTER

source(commandArgs(trailingOnly = TRUE)[1])

laplace <- function(n, scale) {
  noise <- numeric(n)
  for (i in seq_len(n)) noise[i] <- rexp(1, 1 / scale) - rexp(1, 1 / scale)
  noise
}

# An inverse distribution function, as many write it.
inverse <- function(n, scale) {
  u <- runif(n) - 0.5
  -scale * sign(u) * log(1 - 2 * abs(u))
}

setClass("Query", representation(target = "function", scale = "numeric"))
invisible(setGeneric("release", function(query, rows) standardGeneric("release")))
setMethod("release", "Query", function(query, rows) query@target(rows) + rnorm(1, sd = query@scale))

released <- function(x, ...) UseMethod("released")
released.numeric <- function(x, ...) x + laplace(length(x), 1)

Counter <- setRefClass("Counter", fields = list(total = "numeric"), methods = list(
  add = function(x) total <<- total + x,
  noisy = function() total + rnorm(1)
))

memory <- new.env()
memory$noisy <- function(x) x + rexp(1)

expressions <- list(
  arithmetic = function(rows) -(2 * (sum(rows) + rnorm(1)) - 3) / 4 + 1,
  vector = function(rows) sum(rows) * c(1, 2, 3) + rnorm(3, sd = c(1, 2, 3)),
  with_names = function(rows) c(a = sum(rows), b = 2) + laplace(2, 1),
  concatenated = function(rows) c(1, sum(rows) + rnorm(1), c(x = 3), list(rnorm(1))[[1]]),
  elements = function(rows) {
    x <- numeric(3)
    x[2] <- sum(rows) + rnorm(1)
    x[[3]] <- rexp(1)
    y <- list(a = 1)
    y$b[2] <- x[2]
    x[c(TRUE, TRUE, FALSE)] <- x[2:3] * 2
    c(x[-1], unlist(y))
  },
  loops = function(rows) {
    total <- 0
    for (z in sum(rows) + rnorm(3)) total <- total + z
    total
  },
  applied = function(rows) sapply(1:3, function(i) i * sum(rows) + rnorm(1)) + vapply(1:3, function(i) rexp(1), 0),
  replicated = function(rows) replicate(3, sum(rows) + rnorm(1)) + mapply(function(a, b) a * rnorm(1) + b, 1:3, 4:6),
  reduced = function(rows) Reduce(`+`, lapply(1:3, function(i) sum(rows) + rnorm(1))) + do.call(sum, list(rexp(1), 2)),
  matrix = function(rows) {
    m <- matrix(rnorm(6), 2) + sum(rows)
    list(m, t(m), m %*% c(1, 2, 3), c(1, 2) %*% m, diag(2) %*% m, apply(m, 1, sum), colMeans(m), cbind(m, 1), rbind(0, m[1, ]), dim(m))
  },
  sums = function(rows) {
    x <- sum(rows) + rnorm(4)
    c(sum(1, x), mean(x), cumsum(x), diff(x), rev(x), crossprod(x, 1:4), rep(x[1], 2), append(1, x[2]))
  },
  chosen = function(rows) {
    x <- sum(rows) + rnorm(4)
    c(max(x), min(x), which.max(x), which.min(0 - x), pmax(x, 0), pmin(0, x), sort(x), order(x, decreasing = TRUE), range(x), median(x), rank(x))
  },
  compared = function(rows) {
    x <- sum(rows) + rnorm(3)
    c(ifelse(x > 1, x, 0), if (x[1] <= x[2]) 1 else 2, any(x > 5), x == 1, sum(x >= 0), is.na(x))
  },
  rounded = function(rows) c(round(sum(rows) + rnorm(1), 2), floor(rexp(1)) + sum(rows), signif(sum(rows) + rnorm(1), 2)),
  functions = function(rows) sum(rows) + log(runif(1)) - sqrt(rexp(1)) + rnorm(1)^2 + exp(-rexp(1)) + inverse(1, 2),
  products = function(rows) sum(rows) + 2 * rnorm(1) * (3 * rexp(1)) + rnorm(1) / (2 * rexp(1)) + (4 * rnorm(1))^2 + sqrt(5 * rexp(1)),
  divided = function(rows) (sum(rows) + rnorm(1)) / max(1, length(rows) + rnorm(1)),
  texts = function(rows) c(sprintf("%.3f", sum(rows) + rnorm(1)), paste("about", round(sum(rows) + rexp(1))), format(1 + rnorm(1))),
  records = function(rows) list(sum = sum(rows) + rnorm(1), rows = list(1, "a", rnorm(2)), none = NULL),
  frames = function(rows) {
    frame <- data.frame(x = sum(rows) + rnorm(2), y = 1:2)
    frame[2, "y"] <- frame[2, "y"] + rexp(1)
    list(frame$x * 2, nrow(frame), frame$y)
  },
  accumulated = function(rows) Reduce(function(sum, i) sum + rnorm(1), 1:3, sum(rows) + rexp(1), accumulate = TRUE),
  tables = function(rows) table(factor(rows > 0, c(FALSE, TRUE))) + rnorm(2),
  objects = function(rows) {
    counter <- Counter$new(total = 0)
    for (row in rows) counter$add(row)
    counter$noisy()
  },
  indices = function(rows) letters[1 + abs(round(sum(rows) + rnorm(1))) %% 26],
  retried = function(rows) {
    repeat {
      x <- sum(rows) - 1 + rnorm(1)
      if (x > 0) return(x)
    }
  },
  formal = function(rows) release(new("Query", target = function(rows) sum(rows), scale = 2), rows),
  dispatched = function(rows) released(sum(rows)),
  remembered = function(rows) memory$noisy(sum(rows)),
  qualified = function(rows) sum(rows) + stats::rnorm(1) + base::sum(stats::rexp(2)),
  named = function(rows) sum(rows) + do.call("rnorm", list(1)) + match.fun("rexp")(1)
)

dpcheck_serve(function(rows) {
  if (rows[[1]] == "names") return(I(names(expressions)))
  expressions[[rows[[1]]]](as.numeric(unlist(rows[-1])))
})
