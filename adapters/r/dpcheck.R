# The subject protocol of dpcheck, spoken for a function of rows. It needs the package jsonlite, and the folder recording beside it
# where its noise is to be watched.

# Answers dpcheck with outputs of f(rows) until the input ends. Call it at the end of a program, and audit that:
# dpcheck audit --exec "Rscript program.R" ...
#
# rows is a vector where all rows are single values (numeric(0) where there are none), else a list of rows, each a vector or a named
# list. What f prints goes to standard error. An error of f is an output: its message. A vector of length 1 is sent as
# one value, any other as a list; I(x) is always a list. Numbers have 17 digits, so that all bits arrive. With width, f returns so
# many numbers each time, and they are sent as doubles in memory, which is faster; an error then ends the program.
#
# Standard error says once where a seed was set before: noise from it repeats.
#
# A request with a seed is answered with the outputs of that randomness. One that asks to record is answered by the folder recording,
# which is loaded for it.
dpcheck_serve <- function(f, width = NULL) {
  if (exists(".Random.seed", envir = globalenv())) {
    message("dpcheck: random numbers were drawn or a seed was set before dpcheck_serve(): they may repeat")
  }
  # Standard output that is a socket, as under Node, cannot be opened by its name.
  answers <- tryCatch(
    suppressWarnings(file("/dev/stdout", "wb", raw = TRUE)),
    error = function(e) pipe("cat", "wb")
  )
  input <- file("stdin", "rb")
  sink(stderr())
  on.exit({
    sink()
    close(answers)
    close(input)
  })
  binary <- if (is.null(width)) "" else sprintf(",\"binary\":\"f64\",\"width\":%d", width)
  records <- if (is.null(dpcheck_folder)) "" else ",\"records\":true"
  dpcheck_write(sprintf("{\"dpcheck\":1,\"order\":true,\"seeded\":true%s%s}", records, binary), answers)
  recorder <- NULL
  while (length(line <- readLines(input, n = 1)) > 0) {
    request <- dpcheck_parsed(line)
    datasets <- lapply(request$datasets, dpcheck_rows)
    if (isTRUE(request$record)) {
      if (is.null(recorder)) recorder <- dpcheck_recorder()
      dpcheck_write(recorder$recorded_line(f, request, datasets, dpcheck_json), answers)
      next
    }
    if (!is.null(recorder)) recorder$unhook_program()
    draw <- function(side) f(datasets[[side + 1]])
    if (!is.null(request$seed)) draw <- function(side) dpcheck_seeded(f(datasets[[side + 1]]), request$seed)
    if (is.null(width)) {
      errors <- list()
      outputs <- vapply(seq_along(request$order), function(place) {
        tryCatch(dpcheck_json(draw(request$order[[place]])), error = function(e) {
          errors[[as.character(place - 1)]] <<- conditionMessage(e)
          "null"
        })
      }, "")
      beside <- if (length(errors) > 0) sprintf(",\"errors\":%s", dpcheck_json(errors)) else ""
      text <- sprintf("{\"id\":%.0f,\"outputs\":[%s]%s}", request$id, paste0(outputs, collapse = ","), beside)
      dpcheck_write(text, answers)
    } else {
      for (side in request$order) {
        output <- as.double(draw(side))
        if (length(output) != width) stop(sprintf("f must return %d numbers, as width says", width))
        writeBin(output, answers, size = 8, endian = "little")
      }
      flush(answers)
    }
  }
}

# The folder of what watches noise, where it is; functions are then kept with their lines.
dpcheck_folder <- local({
  files <- unlist(lapply(sys.frames(), function(frame) get0("ofile", frame, inherits = FALSE)))
  folder <- file.path(dirname(normalizePath(c(files, "")[length(files)], mustWork = FALSE)), "recording")
  if (length(files) > 0 && dir.exists(folder)) {
    options(keep.source = TRUE)
    folder
  }
})

# The functions of that folder.
dpcheck_recorder <- function() {
  recorder <- new.env(parent = .BaseNamespaceEnv)
  recorder$recorder <- recorder
  for (name in c("tape", "places", "forms", "functions", "methods", "sources", "masks", "rewrite", "answers")) {
    sys.source(file.path(dpcheck_folder, paste0(name, ".R")), recorder, keep.source = FALSE)
  }
  recorder
}

# Evaluates with the randomness of a seed, and puts the state of the generator back.
dpcheck_seeded <- function(output, seed) {
  state <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(if (is.null(state)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", state, globalenv()))
  # R takes no seed of 2^31 or above.
  set.seed(seed %% 2147483647)
  output
}

dpcheck_write <- function(text, file) {
  writeBin(charToRaw(enc2utf8(paste0(text, "\n"))), file)
  flush(file)
}

# JSON in which NaN, Infinity and -Infinity may stand bare.
dpcheck_parsed <- function(line) {
  if (!grepl("NaN|Infinity", line)) return(jsonlite::fromJSON(line, simplifyVector = FALSE))
  bare <- "\"(?:[^\"\\\\]|\\\\.)*\"(*SKIP)(*F)|(-?(?:NaN|Infinity))"
  as_numbers <- function(value) {
    if (!is.list(value)) return(value)
    if (identical(names(value), "dpcheck number")) as.numeric(value[[1]]) else lapply(value, as_numbers)
  }
  as_numbers(jsonlite::fromJSON(gsub(bare, "{\"dpcheck number\":\"\\1\"}", line, perl = TRUE), simplifyVector = FALSE))
}

# Rows as R has them.
dpcheck_rows <- function(rows) {
  if (length(rows) == 0) return(numeric(0))
  rows <- lapply(rows, function(row) if (is.list(row) && is.null(names(row))) unlist(row) else row)
  is_single <- vapply(rows, function(row) is.atomic(row) && length(row) == 1, logical(1))
  if (all(is_single)) unlist(rows) else rows
}

# JSON with bare NaN, Infinity and -Infinity, which dpcheck reads.
dpcheck_json <- function(x) {
  if (is.factor(x)) x <- as.character(x)
  if (is.null(x)) return("null")
  parts <- if (is.list(x)) vapply(x, dpcheck_json, "") else dpcheck_values(x)
  if (!is.null(names(x)) && is.list(x)) {
    keys <- dpcheck_values(names(x))
    return(sprintf("{%s}", paste0(keys, ":", parts, collapse = ",")))
  }
  if (!is.list(x) && length(x) == 1 && !inherits(x, "AsIs") && is.null(dim(x))) return(parts)
  sprintf("[%s]", paste0(parts, collapse = ","))
}

dpcheck_values <- function(x) {
  if (is.character(x)) {
    return(vapply(enc2utf8(x), function(text) as.character(jsonlite::toJSON(text, auto_unbox = TRUE)), ""))
  }
  if (is.logical(x)) return(ifelse(is.na(x), "null", ifelse(x, "true", "false")))
  text <- sprintf("%.17g", as.double(x))
  text[is.nan(x)] <- "NaN"
  text[is.na(x) & !is.nan(x)] <- "null"
  text[is.infinite(x)] <- ifelse(x[is.infinite(x)] > 0, "Infinity", "-Infinity")
  text
}
