# R's samplers in a recording: traced noise, and discrete draws, each of which is a read with probabilities.

count_of <- function(n) if (length(n) > 1) length(n) else as.integer(plain(n))

uniform <- function(n) drawn$runif(n)

standard <- list(
  laplace = function(n) {
    u <- uniform(n)
    ifelse(u < 0.5, log(2 * u), -log(2 - 2 * u))
  },
  normal = function(n) drawn$rnorm(n),
  exponential = function(n) drawn$rexp(n),
  uniform = uniform,
  gumbel = function(n) -log(drawn$rexp(n)),
  logistic = function(n) {
    u <- uniform(n)
    log(u / (1 - u))
  }
)

# n numbers loc + scale * z of a standard law, each with an atom of its own.
noise <- function(law, n, loc, scale) {
  n <- count_of(n)
  scale <- rep_len(as.double(plain(scale)), n)
  if (is.na(n) || n < 0) stop("invalid arguments")
  if (n == 0) return(numeric(0))
  # R gives NaN there, or infinity, and a warning.
  if (any(!is.finite(scale) | scale < 0)) return(rep(NaN, n))
  place <- here()
  atoms <- new_atoms(law, standard[[law]](n), place, settled = law != "uniform")
  at_location(list(v = numeric(n), row = seq_len(n), atom = atoms, c = scale), loc, n, place)
}

# Adding 0 is no meeting of noise and data: it is what stands there where there is no location.
at_location <- function(form, loc, n, place) {
  like <- numeric(n)
  location <- recycled(form_of(loc), n)
  total <- plus(form, location)
  if (is_traced(loc) || all(location$v == 0)) return(traced(total, like, place))
  met(form, total, like)
}

# Numbers of another law, known by its name and arguments: a list of arguments for each number.
other_noise <- function(name, z, of) {
  place <- here()
  n <- length(z)
  atoms <- vapply(seq_len(n), function(i) new_atoms("derived", z[i], place, name = name, of = of[[i]]), 0L)
  number <- traced(list(v = numeric(n), row = seq_len(n), atom = atoms, c = rep(1, n)), numeric(n), place)
  if (is_read_at(place)) plain(number) else number
}

# Whole numbers of another law.
other_draws <- function(name, raw, of) {
  if (!is.null(current$tape$forced)) not_discrete()
  for (i in seq_along(raw)) raw[i] <- draw(raw[i], integer(0), list(other = c(list(name), as.list(of[[i]]))))
  raw
}

draw <- function(raw, shape, details) read_noise("draw", NULL, shape, raw, details = details)

parameters <- function(n, ...) {
  columns <- lapply(list(...), function(value) rep_len(as.double(plain(value)), n))
  lapply(seq_len(n), function(i) lapply(unname(columns), `[`, i))
}

outcomes <- function(chances, count) {
  if (!is.null(current$tape$forced)) return(vapply(seq_len(count), function(k) pick(chances), 0L))
  last <- max(which(chances > 0))
  pmin(findInterval(uniform(count), cumsum(chances)) + 1L, last) - 1L
}

# Whole numbers below n, all alike.
below <- function(n, count) {
  if (is.null(current$tape$forced)) as.integer(uniform(count) * n) else vapply(seq_len(count), function(k) pick(n, TRUE), 0L)
}

# The first of the whole numbers below n, in some order.
ordered <- function(n, count) {
  if (is.null(current$tape$forced)) return(order(uniform(n))[seq_len(count)] - 1L)
  left <- seq_len(n) - 1L
  vapply(seq_len(count), function(k) {
    at <- pick(length(left), TRUE) + 1L
    value <- left[at]
    left <<- left[-at]
    value
  }, 0L)
}

# Number of successes of probability p in so many trials.
successes <- function(n, size, prob) {
  if (is.null(current$tape$forced)) return(unfollowed("rbinom")(n, size, prob))
  size <- rep_len(size, n)
  prob <- rep_len(prob, n)
  if (any(size >= MANY)) not_discrete()
  vapply(seq_len(n), function(i) pick(stats::dbinom(0:size[i], size[i], prob[i])), 0L)
}
MANY <- 1000

# Samplers in place of those of R's packages stats and base.
SAMPLERS <- list(
  rnorm = function(n, mean = 0, sd = 1) noise("normal", n, mean, sd),
  rexp = function(n, rate = 1) noise("exponential", n, 0, 1 / plain(rate)),
  rlogis = function(n, location = 0, scale = 1) noise("logistic", n, location, scale),
  runif = function(n, min = 0, max = 1) {
    n <- count_of(n)
    low <- plain(min)
    number <- noise("uniform", n, 0, plain(max) - low)
    if (is_traced(number)) traced(plus(form_of(number), form_of(low)), numeric(n), attr(number, "form")$made) else number + low
  },
  rlnorm = function(n, meanlog = 0, sdlog = 1) exp(noise("normal", n, meanlog, sdlog)),
  rweibull = function(n, shape, scale = 1) scale * noise("exponential", n, 0, 1)^(1 / plain(shape)),
  rgamma = function(n, shape, rate = 1, scale = 1 / rate) {
    n <- count_of(n)
    other_noise("gamma", unfollowed("rgamma")(n, plain(shape)), parameters(n, shape)) * plain(scale)
  },
  rchisq = function(n, df, ncp = 0) {
    n <- count_of(n)
    other_noise("chisquare", unfollowed("rchisq")(n, plain(df), plain(ncp)), parameters(n, df, ncp))
  },
  rcauchy = function(n, location = 0, scale = 1) {
    n <- count_of(n)
    other_noise("standard_cauchy", unfollowed("rcauchy")(n), rep(list(list()), n)) * plain(scale) + location
  },
  rt = function(n, df, ...) {
    n <- count_of(n)
    other_noise("standard_t", unfollowed("rt")(n, plain(df), ...), parameters(n, df, ...))
  },
  rbeta = function(n, shape1, shape2, ncp = 0) {
    n <- count_of(n)
    other_noise("beta", unfollowed("rbeta")(n, plain(shape1), plain(shape2), plain(ncp)), parameters(n, shape1, shape2, ncp))
  },
  rf = function(n, df1, df2, ...) {
    n <- count_of(n)
    other_noise("f", unfollowed("rf")(n, plain(df1), plain(df2), ...), parameters(n, df1, df2, ...))
  },
  rgeom = function(n, prob) {
    n <- count_of(n)
    p <- rep_len(as.double(plain(prob)), n)
    if (any(is.na(p) | p <= 0 | p > 1)) return(rep(NaN, n))
    place <- here()
    z <- pmax(1, ceiling(log1p(-uniform(n)) / log1p(-p)))
    z[p == 1] <- 1
    atoms <- new_atoms("geometric", z, place, p = p)
    # R counts failures, and the law successes and failures.
    traced(list(v = rep(-1, n), row = seq_len(n), atom = atoms, c = rep(1, n)), numeric(n), place)
  },
  rbinom = function(n, size, prob) {
    n <- count_of(n)
    size <- plain(size)
    prob <- plain(prob)
    if (any(is.na(size) | size < 0 | is.na(prob) | prob < 0 | prob > 1)) return(unfollowed("rbinom")(n, size, prob))
    raw <- successes(n, size, prob)
    if (all(size == 1) && length(unique(prob)) == 1 && n > 0) {
      return(as.integer(draw(as.integer(raw), c(n, 2L), list(chances = c(1 - prob[1], prob[1])))))
    }
    of <- parameters(n, size, prob)
    for (i in seq_len(n)) raw[i] <- draw(raw[i], integer(0), list(binomial = of[[i]]))
    raw
  },
  rpois = function(n, lambda) {
    n <- count_of(n)
    other_draws("poisson", unfollowed("rpois")(n, plain(lambda)), parameters(n, lambda))
  },
  rnbinom = function(n, size, prob, mu) {
    n <- count_of(n)
    if (!missing(mu)) return(other_draws("nbinom_mu", unfollowed("rnbinom")(n, size, mu = mu), parameters(n, size, mu)))
    other_draws("negative_binomial", unfollowed("rnbinom")(n, size, prob), parameters(n, size, prob))
  },
  rhyper = function(nn, m, n, k) {
    count <- count_of(nn)
    other_draws("hypergeometric", unfollowed("rhyper")(count, m, n, k), parameters(count, m, n, k))
  },
  # Counts one after the other, each binomial of what is left.
  rmultinom = function(n, size, prob) {
    prob <- as.double(plain(prob))
    prob <- prob / sum(prob)
    one <- function(...) {
      left <- as.integer(plain(size))
      chance <- 1
      counts <- integer(length(prob))
      for (i in seq_along(prob)) {
        p <- if (i == length(prob)) 1 else if (chance > 0) min(1, prob[i] / chance) else 0
        counts[i] <- if (p == 1) left else draw(successes(1, left, p), integer(0), list(binomial = list(left, p)))
        left <- left - counts[i]
        chance <- chance - prob[i]
      }
      counts
    }
    vapply(seq_len(count_of(n)), one, integer(length(prob)))
  },
  sample.int = function(n, size = n, replace = FALSE, prob = NULL, ...) {
    n <- as.integer(plain(n))
    size <- as.integer(plain(size))
    prob <- plain(prob)
    is_wrong <- is.na(n) || n < 0 || is.na(size) || size < 0 || !replace && size > n || n == 0 && size > 0 ||
      !is.null(prob) && (length(prob) != n || anyNA(prob) || any(prob < 0 | !is.finite(prob)) ||
        sum(prob > 0) < (if (replace || size == 0) min(size, 1) else size))
    # R says what is wrong.
    if (is_wrong || size == 0) return(unfollowed("sample.int")(n, size, replace, prob))
    if (is.null(prob)) {
      if (size == 1) return(1L + draw(below(n, 1), n, list(uniform = n)))
      if (replace) return(1L + draw(below(n, size), c(size, n), list(uniform = n)))
      raw <- ordered(n, size)
      if (size == n) return(1L + draw(raw, c(n, n), list(permutation = n)))
      return(1L + draw(raw, c(size, n), list(subset = c(n, size))))
    }
    chances <- as.double(prob) / sum(prob)
    if (size == 1) return(1L + draw(outcomes(chances, 1), n, list(chances = chances)))
    if (replace) return(1L + draw(outcomes(chances, size), c(size, n), list(chances = chances)))
    raw <- integer(size)
    for (i in seq_len(size)) {
      raw[i] <- draw(outcomes(chances, 1), n, list(chances = chances))
      chances[raw[i] + 1] <- 0
      chances <- chances / sum(chances)
    }
    1L + raw
  },
  set.seed = function(seed, ...) {
    note("it sets the seed of its noise, so that the noise is known")
    unfollowed("set.seed")(seed, ...)
  }
)

# The originals, by name, once masks stand in their place.
originals <- list()
unfollowed <- function(name) originals[[name]]

# A sampler that a package or the program defines, by its name, where its arguments are a count, a location and a scale.
SAMPLER_NAMES <- list(laplace = "^\\.?r[._]?(lap|dexp|ddexp|double)", gumbel = "^\\.?r[._]?gumbel")
LOCATIONS <- c("location", "loc", "mean", "mu", "m", "mode")
SCALES <- c("scale", "s", "sigma", "b", "sd", "lambda", "beta")
# Draws by which its law is seen, and by how much their distribution may be away from it.
TRIALS <- 4000
NEAR <- 2 / sqrt(TRIALS)
DISTRIBUTIONS <- list(
  laplace = list(at = function(x) ifelse(x < 0, exp(x) / 2, 1 - exp(-x) / 2), median = 0, spread = 1),
  gumbel = list(at = function(x) exp(-exp(-x)), median = -log(log(2)), spread = 0.9736)
)

# A mask for such a sampler, where draws with two locations and scales have that law; NULL where it is something else.
sampler_mask <- function(f, name) {
  law <- names(Filter(function(pattern) grepl(pattern, name), SAMPLER_NAMES))[1]
  words <- names(formals(f))
  location <- intersect(words, LOCATIONS)[1]
  scale <- intersect(words, SCALES)[1]
  if (is.na(law) || is.na(scale) || length(words) < 2 || length(words) > 3 || is.na(location) && length(words) == 3) return(NULL)
  factor <- scale_factor(f, law, words[1], location, scale)
  if (is.null(factor)) return(NULL)
  defaults <- function() lapply(as.list(formals(f)), function(value) if (identical(value, quote(expr = ))) NULL else eval(value, environment(f)))
  function(...) {
    if (is.null(current$tape)) return(f(...))
    given <- as.list(match.call(f, as.call(c(list(f), list(...)))))[-1]
    at <- function(word) if (is.na(word)) 0 else if (word %in% names(given)) given[[word]] else defaults()[[word]]
    noise(law, at(words[1]), at(location), factor * plain(at(scale)))
  }
}

# By which factor the scale of the noise is that argument: 1, or as where it is a standard deviation.
scale_factor <- function(f, law, count, location, scale) {
  fit <- function(at, by) {
    arguments <- stats::setNames(list(TRIALS, by), c(count, scale))
    if (!is.na(location)) arguments[[location]] <- at
    else at <- 0
    x <- do.call(f, arguments)
    if (!is.numeric(x) || length(x) != TRIALS || anyNA(x)) return(NULL)
    shape <- DISTRIBUTIONS[[law]]
    # Half of the draws are within the distance ln 2 of a Laplace law's median.
    own <- if (law == "laplace") mean(abs(x - stats::median(x))) else stats::mad(x, constant = 1) / 0.7671
    ratio <- own / by
    simple <- Find(function(value) abs(value - ratio) < 0.06 * value, c(1, sqrt(0.5), sqrt(2), 2, 0.5))
    if (is.null(simple)) return(NULL)
    expected <- shape$at((sort(x) - at) / (simple * by))
    if (max(abs(expected - seq_len(TRIALS) / TRIALS)) > NEAR) return(NULL)
    simple
  }
  keeping_seed(tryCatch({
    originals_or(set.seed)(1)
    factors <- c(fit(0, 1), fit(3, 2))
    if (length(factors) == 2 && factors[1] == factors[2]) factors[1]
  }, error = function(e) NULL, warning = function(w) NULL))
}

originals_or <- function(f) if (is.null(originals$set.seed)) f else originals$set.seed

# Evaluates with no tape, and puts the state of the generator back.
keeping_seed <- function(expr) {
  tape <- current$tape
  seed <- get0(".Random.seed", globalenv(), inherits = FALSE)
  current$tape <- NULL
  on.exit({
    current$tape <- tape
    if (is.null(seed)) suppressWarnings(rm(".Random.seed", envir = globalenv())) else assign(".Random.seed", seed, globalenv())
  })
  expr
}
