# R's generic functions for traced vectors: functions that are linear or move elements keep forms, a comparison reads an order, and
# everything else reads values.

OPS <- function(e1, e2) {
  operator <- get(.Generic, envir = baseenv())
  if (missing(e2)) {
    return(switch(.Generic, "-" = traced(scaled(form_of(e1), -1), bare(e1)), "+" = e1, operator(plain(e1))))
  }
  if (!is_number(e1) || !is_number(e2)) return(operator(plain(e1), plain(e2)))
  a <- form_of(e1)
  b <- form_of(e2)
  like <- function() operator(bare(e1), bare(e2))
  switch(.Generic,
    "+" = added(e1, e2, plus(a, b), like()),
    "-" = added(e1, e2, plus(a, b, -1), like()),
    "*" = if (is_traced(e1) && is_traced(e2)) derived("multiply", list(e1, e2), like()) else if (is_traced(e1)) {
      traced(scaled(a, e2), like())
    } else traced(scaled(b, e1), like()),
    "/" = if (is_traced(e2)) quotient(e1, e2, like()) else divided(a, e2, like()),
    "^" = if (is_traced(e2)) operator(plain(e1), plain(e2)) else if (identical(as.double(e2), 2)) {
      derived("square", list(e1), like())
    } else derived("power", list(e1, e2), like()),
    ">" = compared(plus(a, b, -1), FALSE, like()),
    "<=" = compared(plus(a, b, -1), TRUE, like()),
    "<" = compared(plus(scaled(a, -1), b), FALSE, like()),
    ">=" = compared(plus(scaled(a, -1), b), TRUE, like()),
    "==" = equal(e1, e2, like()),
    "!=" = !equal(e1, e2, like()),
    operator(plain(e1), plain(e2))
  )
}

is_number <- function(x) is_traced(x) || (is.numeric(x) || is.logical(x)) && !is.factor(x)

# A sum or a difference; noise and data meet where one side is noise alone and the other is plain.
added <- function(e1, e2, total, like) {
  if (is_traced(e1) && is_traced(e2)) return(traced(total, like))
  met(form_of(if (is_traced(e1)) e1 else e2), total, like)
}

# Reads if each difference is above 0, or the opposite.
compared <- function(difference, negated, like) {
  above <- values_of(difference) > 0
  noisy <- which(has_terms(difference))
  if (length(noisy) > 0 && !is.null(current$tape)) {
    shown <- selected(difference, noisy)
    raw <- as.logical(above[noisy])
    raw[is.na(raw)] <- negated
    above[noisy] <- read_noise("sign", shown, if (length(above) == 1) integer(0) else length(noisy), raw)
  }
  shaped(above != negated, like)
}

# Continuous noise equals nothing; where it cancels, values are compared that are not noisy; whole noise is read.
equal <- function(e1, e2, like) {
  difference <- plus(form_of(e1), form_of(e2), -1)
  nothing <- equals_nothing(difference)
  if (!all(nothing | !has_terms(difference))) return(plain(e1) == plain(e2))
  shaped(!nothing & difference$v == 0, like)
}

MATH <- function(x, ...) {
  f <- get(.Generic, envir = baseenv())
  name <- if (.Generic %in% names(NAMES)) NAMES[[.Generic]] else .Generic
  more <- list(...)
  if (.Generic == "log" && length(more) == 1 && !is_traced(more[[1]])) return(derived("log", list(x), bare(x)) / log(more[[1]]))
  if (.Generic == "round" && isTRUE(all.equal(more, list(0), check.attributes = FALSE))) more <- list()
  if (length(more) == 0 && name %in% names(FUNCTIONS)) return(derived(name, list(x), bare(x)))
  if (.Generic == "cumsum") {
    form <- form_of(x)
    n <- length(form$v)
    terms <- seq_along(form$row)
    times <- n - form$row + 1L
    at <- rep(terms, times)
    row <- form$row[at] + sequence(times) - 1L
    return(traced(merged(list(v = cumsum(form$v), row = row, atom = form$atom[at], c = form$c[at])), bare(x)))
  }
  f(plain(x), ...)
}

SUMMARY <- function(..., na.rm = FALSE) {
  all <- joined_numbers(list(...))
  if (na.rm) all <- all[!is.na(all)]
  if (!is_traced(all)) return(do.call(.Generic, list(all)))
  switch(.Generic,
    sum = {
      form <- form_of(all)
      if (!is.null(current$tape) && !all(has_terms(form))) current$tape$met[form$atom] <- TRUE
      traced(summed(form))
    },
    max = all[winner(all, TRUE)],
    min = all[winner(all, FALSE)],
    range = joined_numbers(list(all[winner(all, FALSE)], all[winner(all, TRUE)])),
    prod = Reduce(`*`, as.list(all)),
    do.call(.Generic, list(plain(all)))
  )
}

# All elements of several vectors, as one without names.
joined_numbers <- function(vectors) {
  if (!any(vapply(vectors, is_traced, TRUE))) return(unlist(vectors, use.names = FALSE))
  traced(joined(lapply(vectors, form_of)))
}

# The place of the largest or the smallest element, of which nothing else is read.
winner <- function(x, largest) {
  form <- form_of(x)
  values <- values_of(form)
  index <- if (largest) which.max(values) else which.min(values)
  if (length(form$row) == 0 || is.null(current$tape) || length(index) == 0 || length(values) == 1) return(index)
  1L + read_noise(if (largest) "largest" else "smallest", form, length(values), index - 1L)
}

# The order of the elements: the signs of the differences of neighbours in it are read.
order_of <- function(x, decreasing = FALSE) {
  form <- form_of(x)
  order <- order(values_of(form), decreasing = decreasing)
  n <- length(order)
  if (is.null(current$tape) || n < 2) return(order)
  sign <- if (decreasing) -1 else 1
  differences <- function(order) scaled(plus(selected(form, order[-1]), selected(form, order[-n]), -1), sign)
  read_noise("sign", differences, n - 1L, order, told = rep(TRUE, n - 1L))
}

# Whatever moves elements without looking at them, done to their numbers instead. They were made where they were computed.
moved <- function(x, move) {
  form <- form_of(x)
  index <- move(shaped(seq_along(form$v), bare(x)))
  traced(selected(form, index), index, form$made)
}

# The same with several vectors and lists of them: move is given these with numbers in place of traced and plain values.
moved_together <- function(parts, move) {
  before <- 0L
  forms <- list()
  numbered <- function(part) {
    if (is.list(part)) return(structure(lapply(part, numbered), names = names(part)))
    if (is.null(part)) return(NULL)
    forms[[length(forms) + 1]] <<- form_of(part)
    numbers <- shaped(before + seq_along(forms[[length(forms)]]$v), bare(part))
    before <<- before + length(numbers)
    numbers
  }
  index <- move(lapply(parts, numbered))
  traced(selected(joined(forms), index), index)
}

METHODS <- list(
  `[` = function(x, ...) moved(x, function(numbers) numbers[...]),
  `[[` = function(x, ...) moved(x, function(numbers) numbers[[...]]),
  `[<-` = function(x, ..., value) replaced(x, value, function(numbers, new) { numbers[...] <- new; numbers }),
  `[[<-` = function(x, ..., value) replaced(x, value, function(numbers, new) { numbers[[...]] <- new; numbers }),
  `length<-` = function(x, value) moved(x, function(numbers) { length(numbers) <- value; numbers }),
  c = function(...) mask_c(...),
  rep = function(x, ...) moved(x, function(numbers) rep(numbers, ...)),
  t = function(x) moved(x, t),
  aperm = function(a, ...) moved(a, function(numbers) aperm(numbers, ...)),
  rbind = function(...) bound(base::rbind, ...),
  cbind = function(...) bound(base::cbind, ...),
  as.list = function(x, ...) {
    form <- form_of(x)
    structure(lapply(seq_along(form$v), function(i) traced(selected(form, i), made = form$made)), names = names(x))
  },
  as.vector = function(x, mode = "any") {
    if (mode %in% c("any", "numeric", "double")) moved(x, as.vector) else if (mode == "list") as.list(x) else as.vector(plain(x), mode)
  },
  as.double = function(x, ...) moved(x, as.vector),
  as.data.frame = function(x, ...) as.data.frame(plain(x), ...),
  mean = function(x, ...) {
    if (length(list(...)) > 0) return(mean(plain(x), ...))
    traced(scaled(summed(form_of(x)), 1 / length(bare(x))))
  },
  median = function(x, na.rm = FALSE, ...) {
    n <- length(bare(x))
    middle <- order_of(x)[if (n %% 2 == 1) (n + 1) / 2 else n / 2 + 0:1]
    traced(scaled(summed(selected(form_of(x), middle)), 1 / length(middle)))
  },
  sort = function(x, decreasing = FALSE, ...) traced(selected(form_of(x), order_of(x, decreasing))),
  diff = function(x, lag = 1L, ...) {
    n <- length(bare(x))
    if (length(list(...)) > 0 || lag >= n) return(diff(plain(x), lag, ...))
    x[(lag + 1):n] - x[1:(n - lag)]
  },
  # Noise is finite: whether a sum is depends on the plain number in it alone.
  is.na = function(x) shaped(is.na(attr(x, "form")$v), bare(x)),
  is.nan = function(x) shaped(is.nan(attr(x, "form")$v), bare(x)),
  is.finite = function(x) shaped(is.finite(attr(x, "form")$v), bare(x)),
  is.infinite = function(x) shaped(is.infinite(attr(x, "form")$v), bare(x)),
  anyNA = function(x, recursive = FALSE) anyNA(attr(x, "form")$v)
)

# Generics whose methods read values.
READING <- c(
  "as.character", "as.integer", "as.logical", "format", "print", "summary", "unique", "duplicated", "quantile", "xtfrm", "cut",
  "toString", "as.complex", "as.factor", "seq", "all.equal", "scale", "hist", "as.POSIXct", "as.Date", "rowsum", "solve", "qr"
)

bound <- function(bind, ...) {
  parts <- list(...)
  parts$deparse.level <- NULL
  moved_together(parts, function(numbers) do.call(bind, numbers))
}

# x with some elements replaced; extended where they are beyond its end.
replaced <- function(x, value, replace) {
  if (!is_number(value)) return(replace(plain(x), plain(value)))
  n <- length(bare(x))
  numbers <- shaped(seq_len(n), bare(x))
  new <- shaped(n + seq_along(bare(value)), bare(value))
  index <- replace(numbers, new)
  traced(selected(joined(list(form_of(x), form_of(value))), index), index)
}

register_methods <- function() {
  reading <- lapply(stats::setNames(READING, READING), function(name) {
    eval(substitute(function(x, ...) GENERIC(plain(x), ...), list(GENERIC = as.name(name))), recorder)
  })
  all <- c(METHODS, reading, list(Ops = OPS, Math = MATH, Summary = SUMMARY))
  for (name in names(all)) registerS3method(name, CLASS, all[[name]], envir = asNamespace("stats"))
  if (isNamespaceLoaded("methods")) methods::setOldClass(c(CLASS, "numeric"), where = globalenv())
}
