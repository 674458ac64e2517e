# Linear forms of noise: a vector of numbers v + sums of coefficients times atoms. Terms stand in three vectors: the element that
# each belongs to, the number of its atom, and its coefficient. Pure arithmetic: a form is never read by itself.
#
# A traced vector is a vector of doubles of the class dpcheck_traced, with its form beside: R's functions dispatch on the class.

CLASS <- "dpcheck_traced"

is_traced <- function(x) inherits(x, CLASS)

form_of <- function(x) {
  if (is_traced(x)) return(attr(x, "form"))
  list(v = as.double(x), row = integer(0), atom = integer(0), c = numeric(0))
}

values_of <- function(form) {
  values <- form$v
  parts <- form$c * current$tape$z[form$atom]
  if (anyDuplicated(form$row) == 0) values[form$row] <- values[form$row] + parts
  else for (k in seq_along(form$row)) values[form$row[k]] <- values[form$row[k]] + parts[k]
  values
}

# A vector with this form, with the names and dimensions of another; a plain one, where no noise is left in it.
traced <- function(form, like = NULL, made = here()) {
  if (length(form$row) == 0) return(shaped(form$v, like))
  form$made <- made
  form$state <- new.env()
  structure(shaped(values_of(form), like), form = form, class = CLASS)
}

shaped <- function(values, like) {
  if (!is.null(dim(like))) {
    dim(values) <- dim(like)
    dimnames(values) <- dimnames(like)
  } else names(values) <- names(like)
  values
}

# The values with names and dimensions alone, which are not released: for shapes.
bare <- function(x) {
  if (!is_traced(x)) return(x)
  attr(x, "form") <- NULL
  unclass(x)
}

# The elements that index names; NA gives NA.
selected <- function(form, index) {
  n <- length(form$v)
  index <- as.integer(index)
  v <- form$v[index]
  if (length(form$row) == 0) return(list(v = v, row = integer(0), atom = integer(0), c = numeric(0)))
  order <- order(form$row)
  counts <- tabulate(form$row, n)
  starts <- cumsum(counts) - counts + 1L
  own <- counts[index]
  own[is.na(own)] <- 0L
  rows <- rep(seq_along(index), own)
  at <- order[rep(starts[index], own) + sequence(own) - 1L]
  list(v = v, row = rows, atom = form$atom[at], c = form$c[at])
}

recycled <- function(form, n) if (length(form$v) == n) form else selected(form, rep_len(seq_along(form$v), n))

joined <- function(forms) {
  sizes <- vapply(forms, function(form) length(form$v), 0L)
  before <- cumsum(sizes) - sizes
  list(
    v = unlist(lapply(forms, `[[`, "v")),
    row = unlist(Map(function(form, shift) form$row + shift, forms, before)),
    atom = unlist(lapply(forms, `[[`, "atom")),
    c = unlist(lapply(forms, `[[`, "c"))
  )
}

# One term for each atom of an element. An atom whose coefficients cancel is gone; noise of scale 0 stays.
merged <- function(form) {
  key <- form$row * (length(current$tape$z) + 1) + form$atom
  if (anyDuplicated(key) == 0) return(form)
  first <- match(key, key)
  total <- as.vector(rowsum(form$c, first, reorder = FALSE))
  kept <- unique(first)
  isnt <- total == 0 & as.vector(rowsum(abs(form$c), first, reorder = FALSE)) > 0
  list(v = form$v, row = form$row[kept][!isnt], atom = form$atom[kept][!isnt], c = total[!isnt])
}

plus <- function(a, b, factor = 1) {
  n <- if (length(a$v) == 0 || length(b$v) == 0) 0L else max(length(a$v), length(b$v))
  a <- recycled(a, n)
  b <- recycled(b, n)
  merged(list(v = a$v + factor * b$v, row = c(a$row, b$row), atom = c(a$atom, b$atom), c = c(a$c, factor * b$c)))
}

# Each element times a plain number.
scaled <- function(form, by) {
  n <- if (length(form$v) == 0 || length(by) == 0) 0L else max(length(form$v), length(by))
  form <- recycled(form, n)
  by <- rep_len(as.double(by), n)
  list(v = form$v * by, row = form$row, atom = form$atom, c = form$c * by[form$row])
}

# Sums of elements: group names the sum that each belongs to, of n.
summed <- function(form, group = rep(1L, length(form$v)), n = 1L) {
  v <- numeric(n)
  if (n == 1) v <- sum(form$v) else {
    sums <- rowsum(form$v, group)
    v[as.integer(rownames(sums))] <- sums
  }
  merged(list(v = v, row = group[form$row], atom = form$atom, c = form$c))
}

has_terms <- function(form) tabulate(form$row, length(form$v)) > 0

# Tells if this is finished noise to which no plain number was added yet.
is_noise <- function(form) {
  length(form$v) > 0 && all(form$v == 0) && all(has_terms(form)) && all(current$tape$settled[form$atom])
}

# Tells if each element is zero with probability zero, so that the comparison needs no read.
equals_nothing <- function(form) {
  certain <- form$row[current$tape$continuous[form$atom] & form$c != 0]
  tabulate(certain, length(form$v)) > 0
}

# The shape of a read: none for one number.
shape_of <- function(x) if (!is.null(dim(x))) dim(x) else if (length(x) == 1) integer(0) else length(x)

# The values, which are read: a release. The second time the program knows them.
plain <- function(x, is_output = FALSE) {
  if (!is_traced(x)) return(x)
  form <- attr(x, "form")
  if (is.null(form$state$known)) {
    values <- values_of(form)
    tape <- current$tape
    if (!is.null(tape) && !is_output && is.null(tape$alone) && is_noise(form) && !any(tape$met[form$atom])) tape$alone <- here()
    form$state$known <- if (is.null(tape)) values else read_noise("value", form, shape_of(x), values, made = form$made)
  }
  shaped(form$state$known, bare(x))
}

# A value is released when noise is added to a plain number, if this run says so.
met <- function(noise, total, like) {
  if (!is.null(current$tape)) current$tape$met[noise$atom] <- TRUE
  if (!is.null(current$tape) && current$tape$meet && is_noise(noise)) {
    values <- read_noise("value", total, shape_of(like), values_of(total))
    return(shaped(values, like))
  }
  traced(total, like)
}
