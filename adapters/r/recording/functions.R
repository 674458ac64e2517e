# Functions of noise: noise of another law, where they are functions of noise alone; else a read.

FUNCTIONS <- list(
  log = log, log1p = log1p, log2 = log2, log10 = log10, exp = exp, expm1 = expm1, sqrt = sqrt, cos = cos, sin = sin, tan = tan,
  arctan = atan, absolute = abs, sign = sign, square = function(x) x^2, power = `^`, multiply = `*`, divide = `/`,
  floor = floor, ceil = ceiling, rint = round, trunc = trunc
)
# R's functions of one number that have another name there.
NAMES <- c(abs = "absolute", ceiling = "ceil", round = "rint", atan = "arctan")
# Rounding is a function of noise only before data are added: afterwards it is what a program does with a result.
ROUNDING <- c("floor", "ceil", "rint", "trunc")
# These turn uniform noise into finished noise; other functions of it are steps on the way.
FINISHING <- c("log", "log1p", "log2", "log10", "multiply", "divide", "tan")
# f(k x) = k^power f(x) for k > 0: factors are taken out, so that a scale is a coefficient and no part of the noise.
HOMOGENEOUS <- list(multiply = c(1, 1), divide = c(1, -1), absolute = 1, square = 2, sqrt = 0.5, sign = 0)

derived <- function(name, args, like) {
  place <- here()
  f <- FUNCTIONS[[name]]
  forms <- lapply(args, form_of)
  is_rounded <- name %in% ROUNDING && any(unlist(lapply(args, function(x) if (is_traced(x)) form_of(x)$v != 0)))
  if (is.null(current$tape) || is_rounded || is_read_at(place)) return(shaped(do.call(f, lapply(args, plain)), like))
  n <- length(like)
  forms <- lapply(forms, recycled, n)
  v <- numeric(n)
  row <- atom <- integer(0)
  coefficients <- numeric(0)
  for (i in seq_len(n)) {
    own <- lapply(forms, function(form) {
      at <- which(form$row == i)
      list(v = form$v[i], row = rep(1L, length(at)), atom = form$atom[at], c = form$c[at])
    })
    is_form <- vapply(own, function(form) length(form$atom) > 0, TRUE)
    if (!any(is_form)) {
      v[i] <- do.call(f, lapply(own, `[[`, "v"))
      next
    }
    taken <- without_factors(name, own)
    row <- c(row, i)
    atom <- c(atom, atom_of(name, f, taken$own, place))
    coefficients <- c(coefficients, taken$factor)
  }
  traced(list(v = v, row = row, atom = atom, c = coefficients), like, place)
}

without_factors <- function(name, own) {
  powers <- HOMOGENEOUS[[name]]
  factor <- 1
  for (k in seq_along(powers)) {
    form <- own[[k]]
    size <- if (length(form$atom) == 0) abs(form$v) else if (form$v == 0) abs(form$c[1]) else 1
    if (size %in% c(0, 1) || !is.finite(size)) next
    factor <- factor * size^powers[k]
    own[[k]] <- scaled(form, 1 / size)
  }
  list(factor = factor, own = own)
}

# The same function of the same noise is the same atom.
atom_of <- function(name, f, own, place) {
  tape <- current$tape
  key <- paste(c(name, vapply(own, form_key, "")), collapse = " ")
  known <- tape$functions[[key]]
  if (!is.null(known)) return(known)
  bases <- unlist(lapply(own, `[[`, "atom"))
  z <- suppressWarnings(do.call(f, lapply(own, values_of)))
  atom <- new_atoms("derived", z, place, name = name, of = own,
    settled = name %in% FINISHING || any(tape$settled[bases]),
    continuous = name != "sign" && any(tape$continuous[bases]))
  tape$met[atom] <- any(tape$met[bases], vapply(own, function(form) length(form$atom) > 0 && form$v != 0, TRUE))
  tape$functions[[key]] <- atom
  atom
}

form_key <- function(form) {
  order <- order(form$atom)
  paste(c(sprintf("%a", form$v), form$atom[order], sprintf("%a", form$c[order])), collapse = ",")
}

# x / y for a traced y: noise over noise is a law of its own; else the divisor is read.
quotient <- function(x, y, like) {
  a <- form_of(x)
  is_noise_alone <- all(form_of(y)$v == 0 & has_terms(form_of(y))) && (!is_traced(x) || all(a$v == 0))
  if (is_noise_alone) return(derived("divide", list(x, y), like))
  divided(a, plain(y), like)
}

# A form over plain numbers.
divided <- function(form, by, like) {
  if (any(by == 0) && !is.null(current$tape)) {
    # Infinity, or minus infinity: the sign of noise decides.
    return(shaped(plain(traced(form, like)) / as.vector(by), like))
  }
  n <- length(like)
  form <- recycled(form, n)
  by <- rep_len(as.double(by), n)
  traced(list(v = form$v / by, row = form$row, atom = form$atom, c = form$c / by[form$row]), like)
}
