# Answers to requests with "record".

# The answer as JSON: outputs, errors and recordings, one for each side in order.
recorded_line <- function(f, request, datasets, json) {
  tryCatch(recorded_answer(f, request, datasets, json), error = function(e) {
    # The program tampered with the recording, or met what the recorder does not know.
    run <- list(tape = new_tape(request), failed = paste("the recording itself failed:", conditionMessage(e)))
    run$error <- run$failed
    answer_json(request, rep(list(run), length(request$order)), json)
  })
}

recorded_answer <- function(f, request, datasets, json) {
  set_program(f)
  sides <- lapply(unlist(request$order), function(side) datasets[[side + 1]])
  if (!is.null(request$force)) {
    runs <- Map(function(side, forced) recorded_run(f, side, request, NULL, json, as.list(forced)), sides, request$force)
    return(answer_json(request, runs, json))
  }
  # A request without runs comes first.
  if (length(sides) == 0) hook_program(f)
  runs <- list()
  for (side in sides) {
    first <- if (length(runs) > 0) runs[[1]]
    # A first run that failed leaves nothing to replay: the others failed as it did.
    runs[[length(runs) + 1]] <- if (is.null(first) || is.null(first$failed)) recorded_run(f, side, request, first$tape, json) else first
  }
  if (length(runs) == 0) return(answer_json(request, runs, json))
  first <- runs[[1]]
  differs <- function(run) !identical(c(run$output, run$error), c(first$output, first$error))
  if (is.null(first$failed) && any(vapply(runs, differs, TRUE))) {
    reason <- if (!is.null(first$tape$alone)) {
      sprintf("its noise is read at %s, before anything is added to it", place_text(first$tape$alone))
    } else if (!is_followed(f, sides[[1]], request, first, json)) LOST
    for (run in runs) run$tape$notes <- c(run$tape$notes, reason)
  }
  answer_json(request, runs, json)
}

answer_json <- function(request, runs, json) {
  errors <- lapply(runs, function(run) run$error)
  names(errors) <- as.character(seq_along(runs) - 1)
  errors <- Filter(Negate(is.null), errors)
  sprintf("{\"id\":%.0f,\"outputs\":[%s]%s,\"recordings\":[%s]}", request$id,
    paste0(vapply(runs, function(run) if (is.null(run$output)) "null" else run$output, ""), collapse = ","),
    if (length(errors) > 0) sprintf(",\"errors\":%s", json(errors)) else "",
    paste0(vapply(runs, recording_json, ""), collapse = ","))
}

LOST <- "some of its noise is drawn or used where it cannot be watched, as in compiled code"

# Tells if the reads decide the output: with the same reads, other noise must give the same output.
is_followed <- function(f, data, request, first, json) {
  request$seed <- request$seed + 1
  again <- recorded_run(f, data, request, first$tape, json)
  is.null(again$failed) && is.null(again$tape$apart) && identical(again$output, first$output) && identical(again$error, first$error)
}

# One recorded or replayed output, or one whose first discrete draws are forced.
recorded_run <- function(f, data, request, first, json, forced = NULL) {
  for (trial in 1:2) {
    run <- one_run(f, data, new_tape(request, first$reads, forced), json)
    # If a package was loaded on the way, runs once more with masks in it.
    if (setequal(loadedNamespaces(), hooked$loaded)) break
  }
  if (!is.null(run$error) && is.null(run$tape$apart) && is.null(run$failed) && !fails_unrecorded(f, data, run)) {
    run$failed <- paste("the program fails only when it is recorded:", run$error)
  }
  run
}

one_run <- function(f, data, tape, json) {
  seed <- get0(".Random.seed", globalenv(), inherits = FALSE)
  run <- list(tape = tape)
  followed <- hook_program(f)
  current$tape <- tape
  on.exit({
    current$tape <- NULL
    restore_seed(seed)
  })
  originals_or(set.seed)(tape$seed)
  places$boundary <- sys.nframe()
  outcome <- withRestarts(
    tryCatch({
      output <- released(followed(data), TRUE)
      list(output = json(output))
    }, error = function(e) list(error = conditionMessage(e))),
    dpcheck_stop = function() NULL
  )
  if (is.null(tape$apart) && is.null(tape$failed) && length(tape$reads) < length(tape$replay)) {
    k <- length(tape$reads)
    tape$apart <- list(read = k, expected = tape$replay[[k + 1]], met = NULL)
  }
  if (is.null(tape$apart) && tape$is_discrete) run <- c(run, outcome)
  run$failed <- tape$failed
  if (!is.null(run$failed)) run$error <- run$failed
  run
}

restore_seed <- function(seed) {
  if (is.null(seed)) suppressWarnings(rm(".Random.seed", envir = globalenv())) else assign(".Random.seed", seed, globalenv())
}

# Tells if f ends with this error without a recording, for one of some seeds.
fails_unrecorded <- function(f, data, run) {
  unhook_program()
  for (trial in 0:3) {
    own <- keeping_seed({
      set.seed((run$tape$seed + trial) %% 2147483647)
      tryCatch({
        f(data)
        NULL
      }, error = conditionMessage)
    })
    if (identical(own, run$error)) return(TRUE)
  }
  FALSE
}

# An output in which what is traced is read.
released <- function(x, is_output = FALSE) {
  if (is_traced(x)) return(plain(x, is_output))
  if (is.list(x) && any_traced(x)) for (i in seq_along(x)) if (!is.null(x[[i]])) x[[i]] <- released(x[[i]], is_output)
  x
}

recording_json <- function(run) {
  tape <- run$tape
  atoms <- unlist(lapply(tape$chunks, atoms_json))
  reads <- vapply(tape$reads, read_json, "")
  ended <- if (!is.null(tape$apart) || !tape$is_discrete) "apart" else if (!is.null(run$error)) "error" else "output"
  paste0(
    "{\"atoms\":[", paste0(atoms, collapse = ","), "],\"reads\":[", paste0(reads, collapse = ","), "],\"ended\":\"", ended, "\"",
    if (!is.null(tape$forced) && tape$is_discrete) sprintf(",\"path\":%s", list_json(vapply(tape$path, step_json, ""))),
    if (!is.null(tape$apart)) {
      sprintf(",\"apart\":{\"read\":%d,\"expected\":%s,\"met\":%s}", tape$apart$read, where_json(tape$apart$expected),
        where_json(tape$apart$met))
    },
    if (length(tape$notes) > 0) sprintf(",\"notFollowed\":[%s]", paste0(text_json(tape$notes), collapse = ",")),
    if (!is.null(run$failed)) sprintf(",\"failed\":%s", text_json(run$failed)),
    "}"
  )
}

text_json <- function(texts) {
  plain <- !grepl("[^ -~]|[\"\\\\]", texts)
  texts[plain] <- paste0("\"", texts[plain], "\"")
  texts[!plain] <- vapply(texts[!plain], function(text) as.character(jsonlite::toJSON(text, auto_unbox = TRUE)), "")
  texts
}

number_json <- function(x) {
  text <- sprintf("%.17g", as.double(x))
  text[is.nan(x) | is.na(x)] <- "NaN"
  text[is.infinite(x)] <- ifelse(x[is.infinite(x)] > 0, "Infinity", "-Infinity")
  text
}

list_json <- function(texts) sprintf("[%s]", paste0(texts, collapse = ","))

place_json <- function(place) {
  at <- sprintf("\"at\":%s", text_json(place_text(place)))
  if (!is.null(place$at) && !is.null(place$inner)) at <- sprintf("%s,\"in\":%s", at, text_json(place$inner))
  at
}

where_json <- function(read) {
  if (is.null(read)) return("null")
  sprintf("{%s,\"kind\":\"%s\",\"shape\":%s}", place_json(read$place), read$kind, list_json(number_json(read$shape)))
}

# A forced draw: its outcome, and how many there are, all alike, or their chances.
step_json <- function(step) {
  of <- if (step$alike) number_json(step$of) else list_json(number_json(step$of))
  sprintf("{%s,\"outcome\":%d,\"of\":%s}", place_json(step$place), as.integer(step$outcome), of)
}

atoms_json <- function(chunk) {
  start <- sprintf("{\"law\":\"%s\",%s", chunk$law, place_json(chunk$place))
  more <- if (!is.null(chunk$p)) sprintf(",\"p\":%s", number_json(chunk$p)) else ""
  if (chunk$law == "derived") {
    of <- vapply(chunk$of, function(part) if (is.list(part) && length(part$atom) > 0) forms_json(part) else number_json(unlist(if (is.list(part)) part$v else part)), "")
    more <- sprintf(",\"function\":\"%s\",\"of\":%s", chunk$name, list_json(of))
  }
  rep_len(paste0(start, more, "}"), chunk$count)
}

# Each element as [number, [[atom, coefficient], ...]].
forms_json <- function(form) {
  if (is.null(form)) return(character(0))
  terms <- sprintf("[%d,%s]", form$atom - 1L, number_json(form$c))
  of_row <- vapply(split(terms, factor(form$row, seq_along(form$v))), paste0, "", collapse = ",")
  sprintf("[%s,[%s]]", number_json(form$v), of_row)
}

read_json <- function(read) {
  value <- if (read$kind == "sign") ifelse(read$told, "true", "false") else number_json(read$told)
  if (read$kind %in% c("value", "sign") || length(value) != 1) value <- list_json(value)
  made <- if (!is.null(read$made$at) && read$made$at != place_text(read$place)) sprintf(",\"made\":%s", text_json(read$made$at)) else ""
  sprintf("{%s%s,\"kind\":\"%s\",\"forms\":%s,\"shape\":%s,\"value\":%s%s}", place_json(read$place), made, read$kind,
    list_json(forms_json(read$form)), list_json(number_json(read$shape)), value, details_json(read$details))
}

# The probabilities of a discrete draw: one number, or a list.
details_json <- function(details) {
  if (is.null(details)) return("")
  name <- names(details)
  value <- details[[1]]
  texts <- vapply(value, function(part) if (is.character(part)) unname(text_json(part)) else number_json(part), "")
  is_list <- name %in% c("chances", "binomial", "subset", "other")
  sprintf(",\"%s\":%s", name, if (is_list) list_json(texts) else texts)
}
