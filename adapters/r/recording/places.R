# Places in the source: the innermost line of the program, and the line or the function of a package behind it.

# Packages whose functions are not shown: the line that calls them is.
UNTOLD <- c("base", "stats", "utils", "methods", "graphics", "grDevices", "datasets", "tools", "compiler", "parallel", "jsonlite")

places <- new.env()
places$paths <- list()
# Frames up to this one belong to the adapter.
places$boundary <- 0L

# The folder of the program is that of its file, or of the file of f.
set_program <- function(f) {
  file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))[1]
  source <- attr(f, "srcref")
  if (is.na(file) && !is.null(source)) file <- attr(source, "srcfile")$filename
  has_file <- !is.na(file) && nzchar(file)
  places$script <- if (has_file) normalizePath(file, mustWork = FALSE)
  places$folder <- paste0(if (has_file) dirname(places$script) else getwd(), "/")
}

# The place of the innermost frames: at, a line of the program or NULL; inner, a line or a function of a package or NULL.
here <- function() {
  calls <- sys.calls()
  inner <- NULL
  named <- NULL
  for (i in rev(seq_along(calls)[-seq_len(places$boundary)])) {
    # The function of a frame has no lines, or those of the calls in it have been seen.
    f <- sys.function(i)
    if (!is.primitive(f) && is.null(attr(f, "srcref"))) {
      top <- topenv(environment(f))
      name <- name_of_call(calls[[i]])
      if (isNamespace(top)) {
        package <- getNamespaceName(top)[[1]]
        if (is.null(inner) && !(package %in% UNTOLD)) inner <- sprintf("%s::%s()", package, name)
      } else if (is.null(named)) named <- sprintf("%s()", name)
    }
    found <- location(attr(calls[[i]], "srcref"))
    if (is.null(found)) next
    if (startsWith(found$path, places$folder)) {
      return(list(at = sprintf("%s:%d", substring(found$path, nchar(places$folder) + 1), found$line), inner = inner))
    }
    if (is.null(inner)) inner <- sprintf("%s:%d", shown_path(found$path), found$line)
  }
  list(at = named, inner = inner)
}

# The file and the line of a srcref; NULL where there is none.
location <- function(source) {
  if (is.null(source)) return(NULL)
  file <- attr(source, "srcfile")
  if (nzchar(file$filename)) return(list(path = path_of(file), line = source[1]))
  # Rscript knows the text of each expression of its file, and not the file.
  if (is.null(places$script)) return(NULL)
  text <- paste(file$lines, collapse = "\n")
  start <- places$starts[[text]]
  if (is.null(start)) {
    if (is.null(places$text)) places$text <- paste(readLines(places$script, warn = FALSE), collapse = "\n")
    at <- regexpr(sub("\\s+$", "", text), places$text, fixed = TRUE)
    start <- if (at < 0) -1L else lengths(regmatches(substr(places$text, 1, at), gregexpr("\n", substr(places$text, 1, at), fixed = TRUE)))
    places$starts[[text]] <- start
  }
  if (start >= 0) list(path = places$script, line = start + source[1])
}

name_of_call <- function(call) {
  head <- call[[1]]
  if (is.call(head) && length(head) == 3) head <- head[[3]]
  if (is.symbol(head)) as.character(head) else "a function"
}

path_of <- function(file) {
  known <- places$paths[[file$filename]]
  if (!is.null(known)) return(known)
  path <- if (startsWith(file$filename, "/")) file$filename else file.path(file$wd, file$filename)
  path <- normalizePath(path, mustWork = FALSE)
  places$paths[[file$filename]] <- path
  path
}
# The last two folders of a file of a library, and its name.
shown_path <- function(path) paste(utils::tail(strsplit(path, "/", fixed = TRUE)[[1]], 3), collapse = "/")

place_text <- function(place) if (!is.null(place$at)) place$at else if (!is.null(place$inner)) place$inner else "?"
