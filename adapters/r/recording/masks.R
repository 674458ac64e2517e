# Functions of R's packages base and stats that do not dispatch, or not on all of their arguments, as rewritten functions call them
# (rewrite.R): they keep forms where elements are moved or added up, and read values elsewhere.

any_traced <- function(values) {
  for (value in values) if (is_traced(value) || is.list(value) && any_traced(value)) return(TRUE)
  FALSE
}

mask_c <- function(...) {
  parts <- list(...)
  if (!any_traced(parts)) return(c(...))
  parts[c("recursive", "use.names")] <- NULL
  if (any(vapply(parts, is.list, TRUE))) {
    return(do.call(c, lapply(parts, function(part) if (is_traced(part)) as.list(part) else part)))
  }
  if (!all(vapply(parts, function(part) is.null(part) || is_number(part), TRUE))) return(do.call(c, lapply(parts, plain)))
  moved_together(parts, function(numbers) do.call(c, numbers))
}

mask_unlist <- function(x, recursive = TRUE, use.names = TRUE) {
  if (!is.list(x) || !any_traced(x)) return(unlist(x, recursive, use.names))
  leaves <- rapply(x, function(leaf) is_number(leaf) || is.null(leaf), how = "unlist")
  if (!all(leaves)) return(unlist(released(x), recursive, use.names))
  moved_together(x, function(numbers) unlist(numbers, recursive, use.names))
}

# Simplifies results as sapply() does.
simplified <- function(results, simplify = TRUE) {
  if (identical(simplify, FALSE) || length(results) == 0) return(results)
  if (!any_traced(results)) return(simplify2array(results, higher = simplify == "array"))
  sizes <- unique(lengths(results))
  if (length(sizes) != 1 || any(vapply(results, is.list, TRUE))) return(results)
  if (sizes == 1) return(mask_unlist(results))
  names <- if (!is.null(names(results)) || !is.null(names(results[[1]]))) list(names(results[[1]]), names(results))
  mask_array(mask_unlist(results, use.names = FALSE), c(sizes, length(results)), names)
}

named_as <- function(results, X, USE.NAMES) {
  if (USE.NAMES && is.character(X) && is.null(names(results))) names(results) <- X
  results
}

mask_sapply <- function(X, FUN, ..., simplify = TRUE, USE.NAMES = TRUE) {
  simplified(named_as(lapply(X, match.fun(FUN), ...), X, USE.NAMES), simplify)
}

mask_vapply <- function(X, FUN, FUN.VALUE, ..., USE.NAMES = TRUE) {
  results <- named_as(lapply(X, match.fun(FUN), ...), X, USE.NAMES)
  if (!USE.NAMES) names(results) <- NULL
  if (any_traced(results)) simplified(results) else vapply(results, function(result) result, FUN.VALUE)
}

mask_mapply <- function(FUN, ..., MoreArgs = NULL, SIMPLIFY = TRUE, USE.NAMES = TRUE) {
  simplified(mapply(FUN, ..., MoreArgs = MoreArgs, SIMPLIFY = FALSE, USE.NAMES = USE.NAMES), SIMPLIFY)
}

mask_replicate <- function(n, expr, simplify = "array") {
  f <- eval.parent(substitute(function(...) expr))
  simplified(lapply(integer(n), f), simplify)
}

# The results on the way, where they are asked for, are put together as numbers.
mask_reduce <- function(f, x, init, right = FALSE, accumulate = FALSE, ...) {
  if (!accumulate || right) return(Reduce(f, x, init, right, accumulate, ...))
  f <- match.fun(f)
  results <- if (missing(init)) list() else list(init)
  for (item in as.list(x)) results[[length(results) + 1]] <- if (length(results) == 0) item else f(results[[length(results)]], item)
  if (all(lengths(results) == 1)) mask_unlist(results, recursive = FALSE) else results
}

mask_apply <- function(X, MARGIN, FUN, ..., simplify = TRUE) {
  if (length(dim(X)) != 2 || !identical(as.double(MARGIN), 1) && !identical(as.double(MARGIN), 2)) {
    return(apply(plain(X), MARGIN, FUN, ...))
  }
  FUN <- match.fun(FUN)
  X <- if (is.object(X) && !is_traced(X)) as.matrix(X) else X
  lines <- lapply(seq_len(dim(X)[MARGIN]), function(i) if (MARGIN == 1) X[i, ] else X[, i])
  names(lines) <- dimnames(X)[[MARGIN]]
  simplified(lapply(lines, FUN, ...), simplify)
}

mask_matrix <- function(data = NA, nrow = 1, ncol = 1, byrow = FALSE, dimnames = NULL) {
  if (!is_traced(data)) {
    call <- match.call()
    call[[1]] <- matrix
    return(eval.parent(call))
  }
  shape <- list(byrow = byrow, dimnames = dimnames)
  if (!missing(nrow)) shape$nrow <- nrow
  if (!missing(ncol)) shape$ncol <- ncol
  moved(data, function(numbers) do.call(matrix, c(list(numbers), shape)))
}

mask_array <- function(data = NA, dim = length(data), dimnames = NULL) {
  if (is_traced(data)) moved(data, function(numbers) array(numbers, dim, dimnames)) else array(data, dim, dimnames)
}

mask_ifelse <- function(test, yes, no) {
  test <- plain(test)
  if (!any_traced(list(yes, no)) || !is_number(yes) || !is_number(no)) return(ifelse(test, plain(yes), plain(no)))
  n <- length(test)
  chosen <- ifelse(test, rep_len(seq_along(bare(yes)), n), length(bare(yes)) + rep_len(seq_along(bare(no)), n))
  traced(selected(joined(list(form_of(yes), form_of(no))), chosen), test)
}

# For each element, which of several vectors has the largest or the smallest one.
parallel_extreme <- function(largest, original) {
  function(..., na.rm = FALSE) {
    parts <- list(...)
    if (!any_traced(parts)) return(original(..., na.rm = na.rm))
    n <- max(lengths(parts))
    forms <- lapply(parts, function(part) recycled(form_of(part), n))
    one <- function(i) {
      candidates <- traced(joined(lapply(forms, selected, i)))
      candidates[winner(candidates, largest)]
    }
    joined_numbers(lapply(seq_len(n), one))
  }
}

mask_which <- function(largest, original) {
  function(x) if (is_traced(x)) structure(winner(x, largest), names = names(x)[0]) else original(x)
}

mask_order <- function(..., na.last = TRUE, decreasing = FALSE) {
  parts <- list(...)
  if (length(parts) == 1 && is_traced(parts[[1]])) return(order_of(parts[[1]], decreasing))
  do.call(order, c(lapply(parts, plain), list(na.last = na.last, decreasing = decreasing)))
}

mask_rank <- function(x, ...) {
  if (!is_traced(x)) return(rank(x, ...))
  order <- order_of(x)
  ranks <- numeric(length(order))
  ranks[order] <- seq_along(order)
  ranks
}

# A sum of products of noise and plain numbers; products of noise and noise are functions of it.
mask_product <- function(x, y) {
  if (!any_traced(list(x, y))) return(x %*% y)
  if (is_traced(x) && is_traced(y)) {
    if (is.null(dim(x)) && is.null(dim(y))) return(mask_matrix(SUM(x * y)))
    return(plain(x) %*% plain(y))
  }
  like <- bare(x) %*% bare(y)
  inner <- length(bare(x)) / nrow(like)
  cells <- expand.grid(k = seq_len(inner), i = seq_len(nrow(like)), j = seq_len(ncol(like)))
  at_x <- cells$i + (cells$k - 1L) * nrow(like)
  at_y <- cells$k + (cells$j - 1L) * inner
  products <- if (is_traced(x)) scaled(selected(form_of(x), at_x), y[at_y]) else scaled(selected(form_of(y), at_y), x[at_x])
  traced(summed(products, as.integer(cells$i + (cells$j - 1L) * nrow(like)), length(like)), like)
}

mask_is_vector <- function(x, mode = "any") {
  if (is_traced(x)) is.null(dim(x)) && mode %in% c("any", "numeric", "double") else is.vector(x, mode)
}

mask_class <- function(x) if (is_traced(x)) class(bare(x)) else class(x)

# The sequence of a loop: its elements with their forms.
mask_for <- function(x) if (is_traced(x)) as.list(x) else x

# Generics of several arguments dispatch on the first one alone.
summary_mask <- function(original) {
  force(original)
  function(..., na.rm = FALSE) {
    parts <- list(...)
    if (length(parts) > 1 && any_traced(parts)) parts <- list(joined_numbers(parts))
    do.call(original, c(parts, if (na.rm) list(na.rm = TRUE)), quote = TRUE)
  }
}

# A function that needs values: what is traced is read.
reader <- function(original) {
  force(original)
  function(...) {
    parts <- list(...)
    if (!any_traced(parts)) return(original(...))
    do.call(original, released(parts), quote = TRUE)
  }
}

# A function that calls others with plain numbers, as optimisers do: noise that comes back from these is not followed.
caller_of <- function(original, name) {
  force(original)
  force(name)
  function(...) {
    watched <- function(f) {
      if (!is.function(f)) return(plain(f))
      function(...) {
        result <- f(...)
        if (!is_traced(result)) return(result)
        note(sprintf("%s() works with noise, at %s", name, place_text(here())))
        shaped(values_of(form_of(result)), bare(result))
      }
    }
    parts <- lapply(list(...), watched)
    do.call(original, parts, quote = TRUE)
  }
}

SUM <- function(x) traced(summed(form_of(x)))

MASKS <- list(
  c = mask_c, unlist = mask_unlist, sapply = mask_sapply, vapply = mask_vapply, mapply = mask_mapply, replicate = mask_replicate,
  Reduce = mask_reduce, apply = mask_apply, matrix = mask_matrix, array = mask_array, ifelse = mask_ifelse,
  pmax = parallel_extreme(TRUE, pmax), pmin = parallel_extreme(FALSE, pmin),
  which.max = mask_which(TRUE, which.max), which.min = mask_which(FALSE, which.min), order = mask_order, rank = mask_rank,
  append = function(x, values, after = length(x)) {
    if (!any_traced(list(x, values))) return(append(x, values, after))
    n <- length(x)
    mask_c(x[seq_len(after)], values, x[seq_len(n - after) + after])
  },
  `%*%` = mask_product, crossprod = function(x, y = x) mask_product(t(x), y), tcrossprod = function(x, y = x) mask_product(x, t(y)),
  drop = function(x) if (is_traced(x)) moved(x, drop) else drop(x),
  rep_len = function(x, length.out) if (is_traced(x)) moved(x, function(numbers) rep_len(numbers, length.out)) else rep_len(x, length.out),
  rep.int = function(x, times) if (is_traced(x)) moved(x, function(numbers) rep.int(numbers, times)) else rep.int(x, times),
  colSums = function(x, ...) if (is_traced(x)) mask_apply(x, 2, sum) else colSums(x, ...),
  rowSums = function(x, ...) if (is_traced(x)) mask_apply(x, 1, sum) else rowSums(x, ...),
  colMeans = function(x, ...) if (is_traced(x)) mask_apply(x, 2, mean) else colMeans(x, ...),
  rowMeans = function(x, ...) if (is_traced(x)) mask_apply(x, 1, mean) else rowMeans(x, ...),
  is.vector = mask_is_vector, class = mask_class
)
# A function of base or stats, whatever the program calls by that name.
of_r <- function(name) get(name, envir = if (exists(name, envir = baseenv(), inherits = FALSE)) baseenv() else asNamespace("stats"))

for (name in c("sum", "prod", "max", "min", "range")) MASKS[[name]] <- summary_mask(of_r(name))
for (name in c(
  "sprintf", "findInterval", "tabulate", "table", "match", "%in%", "setdiff", "union", "intersect", "is.element", "identical",
  "var", "sd", "cor", "cov", "mad", "seq_len", "rev.default", "det", "svd", "eigen", "chol", "chol2inv", "fft", "dist", "nchar",
  "approx", "ecdf", "density", "which", "aggregate", "tapply", "formatC", "prettyNum", "max.col", "strtoi", "bitwAnd", "bitwXor",
  "dnorm", "pnorm", "qnorm", "dexp", "pexp", "qexp", "qunif", "lm.fit", "trigamma", "choose", "beta", "lbeta", "gamma", "lgamma",
  "cat", "writeLines", "message", "stopifnot", "rowsum", "as.Date", "outer", "%o%", "kronecker", "diag", "trimws", "substr"
)) MASKS[[name]] <- reader(of_r(name))
for (name in c("optim", "optimize", "optimise", "nlm", "nlminb", "uniroot", "integrate", "constrOptim", "nls")) {
  MASKS[[name]] <- caller_of(of_r(name), name)
}
