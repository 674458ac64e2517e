# The draws and reads of one run of a program, and their replay in a second run.

current <- new.env()
current$tape <- NULL

# Atoms and reads of a run. More would take seconds to send, and a judge minutes.
LONGEST <- 20000

# The functions that draw, as they were before masks took their places.
drawn <- list(rnorm = stats::rnorm, rexp = stats::rexp, runif = stats::runif)

# forced is a list of outcomes that the first discrete draws have; NULL where none are forced.
new_tape <- function(request, replay = NULL, forced = NULL) {
  tape <- new.env()
  # R takes no seed of 2^31 or above.
  tape$seed <- request$seed %% 2147483647
  tape$replay <- replay
  tape$meet <- isTRUE(request$meet)
  tape$as_reads <- as.character(unlist(request$asReads))
  tape$z <- numeric(0)
  # Raw uniform noise is still to be transformed: it is not settled.
  tape$settled <- logical(0)
  tape$whole <- logical(0)
  # TRUE if a plain number was added to it.
  tape$met <- logical(0)
  # A continuous atom has no value with a chance above zero: it equals nothing.
  tape$continuous <- logical(0)
  tape$chunks <- list()
  tape$functions <- new.env()
  tape$reads <- list()
  tape$apart <- NULL
  tape$notes <- character(0)
  tape$alone <- NULL
  tape$failed <- NULL
  # For forced draws: all outcomes that were taken, and known bounds of uniform noise.
  tape$forced <- forced
  tape$path <- list()
  tape$is_discrete <- TRUE
  tape$ranges <- list()
  tape
}

# Numbers of noise of a standard law, drawn at one place. Returns the numbers of the atoms, from 1.
new_atoms <- function(law, z, place, p = NULL, name = NULL, of = NULL, settled = TRUE, continuous = TRUE) {
  tape <- current$tape
  first <- length(tape$z) + 1L
  if (first + length(z) > LONGEST) too_long()
  whole <- law == "geometric" || !is.null(name) && name %in% c("floor", "ceil", "rint", "trunc")
  tape$z <- c(tape$z, z)
  tape$uniform <- c(tape$uniform, rep(law == "uniform", length(z)))
  tape$settled <- c(tape$settled, rep(settled, length(z)))
  tape$whole <- c(tape$whole, rep(whole, length(z)))
  tape$met <- c(tape$met, rep(FALSE, length(z)))
  tape$continuous <- c(tape$continuous, rep(continuous && !whole, length(z)))
  tape$chunks[[length(tape$chunks) + 1]] <-
    list(law = law, count = length(z), place = place, p = p, name = name, of = of)
  first - 1L + seq_along(z)
}

too_long <- function() {
  current$tape$failed <- sprintf("the program draws or reads noise more than %d times", LONGEST)
  invokeRestart("dpcheck_stop")
}

note <- function(text) {
  tape <- current$tape
  if (!is.null(tape) && !(text %in% tape$notes)) tape$notes <- c(tape$notes, text)
}

# Records a read and returns its raw value: that of the first run, where this is a replay. form may be a function of the raw value,
# where which forms are compared depends on what came out; told is the value as the answer shows it, if that is another; made is the
# place where the value was computed, for reads outside the program.
read_noise <- function(kind, form, shape, raw, told = raw, details = NULL, made = NULL) {
  tape <- current$tape
  if (!is.null(tape$forced)) return(forced_read(kind, form, raw))
  place <- here()
  if (is.null(place$at) && !is.null(made)) place <- made
  k <- length(tape$reads) + 1L
  if (k > LONGEST) too_long()
  read <- list(kind = kind, shape = shape, place = place, raw = raw, told = told, details = details, made = made)
  if (!is.null(tape$replay)) {
    expected <- if (k <= length(tape$replay)) tape$replay[[k]]
    if (!identical(signature_of(expected), signature_of(read))) {
      tape$apart <- list(read = k - 1L, expected = expected, met = read)
      invokeRestart("dpcheck_stop")
    }
    read$raw <- expected$raw
    read$told <- expected$told
  }
  read$form <- if (is.function(form)) form(read$raw) else form
  tape$reads[[k]] <- read
  read$raw
}

# The outcome of a discrete draw whose draws are forced: the one asked for, beyond these the first that can come. chances is a vector of
# them, or the number of outcomes that are all alike.
pick <- function(chances, alike = FALSE) {
  tape <- current$tape
  if (if (alike) chances == 1 else length(chances) == 1) return(0L)
  k <- length(tape$path) + 1L
  if (k > LONGEST) too_long()
  outcome <- if (k <= length(tape$forced)) tape$forced[[k]] else if (alike) 0L else which(chances > 0)[1] - 1L
  tape$path[[k]] <- list(place = here(), outcome = outcome, of = chances, alike = alike)
  as.integer(outcome)
}

not_discrete <- function() {
  current$tape$is_discrete <- FALSE
  invokeRestart("dpcheck_stop")
}

forced_read <- function(kind, form, raw) {
  if (kind == "draw") return(raw)
  if (kind != "sign" || is.function(form)) not_discrete()
  for (i in seq_along(raw)) raw[i] <- forced_sign(selected(form, i), raw[i])
  raw
}

# Tells if uniform noise lies above a bound: a draw of two outcomes, given earlier bounds.
forced_sign <- function(form, is_positive) {
  if (length(form$row) == 0 || is.nan(form$v)) return(is_positive)
  if (length(form$row) > 1 || !current$tape$uniform[form$atom] || form$c == 0) not_discrete()
  key <- as.character(form$atom)
  range <- current$tape$ranges[[key]]
  if (is.null(range)) range <- c(0, 1)
  bound <- min(max(-form$v / form$c, range[1]), range[2])
  # A sum of probabilities that should be 1 ends a little below: what is left above it is rounding, and no outcome.
  if (range[2] - bound <= 2^-46 * range[2]) bound <- range[2]
  else if (range[1] > 0 && bound - range[1] <= 2^-46 * range[2]) bound <- range[1]
  is_above <- if (bound > range[1] && bound < range[2]) {
    pick(c(bound - range[1], range[2] - bound) / (range[2] - range[1])) == 1
  } else bound == range[1]
  current$tape$ranges[[key]] <- if (is_above) c(bound, range[2]) else c(range[1], bound)
  is_above == (form$c > 0)
}

signature_of <- function(read) {
  if (!is.null(read)) list(read$kind, as.double(read$shape), place_text(read$place), read$place$inner)
}

# Tells if a function of noise at this place is a read, and not noise itself.
is_read_at <- function(place) any(c(place_text(place), paste(place$at, "in", place$inner)) %in% current$tape$as_reads)
