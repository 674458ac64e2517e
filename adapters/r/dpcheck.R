# The subject protocol of dpcheck, spoken for a function of rows. One file; it needs the package jsonlite.

# Answers dpcheck with outputs of f(rows) until the input ends. Call it at the end of a program, and audit that:
# dpcheck audit --exec "Rscript program.R" ...
#
# rows is a vector where all rows are single values (numeric(0) where there are none), else a list of rows, each a vector or a named
# list. What f prints goes to standard error. An error of f is an output: its message. A vector of length 1 is sent as
# one value, any other as a list; I(x) is always a list. Numbers have 17 digits, so that all bits arrive. With width, f returns so
# many numbers each time, and they are sent as doubles in memory, which is faster; an error then ends the program.
#
# Standard error says once where a seed was set before: noise from it repeats.
dpcheck_serve <- function(f, width = NULL) {
  if (exists(".Random.seed", envir = globalenv())) {
    message("dpcheck: random numbers were drawn or a seed was set before dpcheck_serve(): they may repeat")
  }
  answers <- file("/dev/stdout", "wb", raw = TRUE)
  input <- file("stdin", "rb")
  sink(stderr())
  on.exit({
    sink()
    close(answers)
    close(input)
  })
  binary <- if (is.null(width)) "" else sprintf(",\"binary\":\"f64\",\"width\":%d", width)
  dpcheck_write(sprintf("{\"dpcheck\":1,\"order\":true%s}", binary), answers)
  while (length(line <- readLines(input, n = 1)) > 0) {
    request <- jsonlite::fromJSON(line, simplifyVector = FALSE)
    datasets <- lapply(request$datasets, dpcheck_rows)
    draw <- function(side) f(datasets[[side + 1]])
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

dpcheck_write <- function(text, file) {
  writeBin(charToRaw(enc2utf8(paste0(text, "\n"))), file)
  flush(file)
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
