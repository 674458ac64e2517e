# The functions of a program and of the packages it uses, rewritten so that they call masks: R's own compiled code would take the
# values of a traced vector past its class. Only in a process that was asked to record.

# Name of a mask in rewritten functions.
mask_name <- function(name) paste0(".dpcheck ", name)

# Packages that are left as they are: what those of R do with traced vectors is in masks.R, the others compute on calls.
LEFT <- c(UNTOLD, "R6", "data.table", "dplyr", "dbplyr", "ggplot2", "lifecycle", "magrittr", "pillar", "purrr", "rlang", "tibble", "tidyr",
  "tidyselect", "vctrs")

hooked <- new.env()
hooked$loaded <- NULL
hooked$changes <- list()
hooked$on <- FALSE

# Puts masks in place, until unhook_program(); more where a package was loaded since. Returns f as it is to be called.
hook_program <- function(f) {
  loaded <- loadedNamespaces()
  if (hooked$on && setequal(loaded, hooked$loaded)) return(hooked$program)
  unhook_program()
  if (is.null(hooked$loaded)) {
    register_methods()
    hooked$masks <- masks_by_name()
  }
  attach(hooked$masks, name = "dpcheck", warn.conflicts = FALSE)
  for (change in hooked$changes) change_binding(change$env, change$name, change$old, change$new)
  if (!setequal(loaded, hooked$loaded)) {
    hooked$loaded <- loaded
    hooked$environments <- list()
    hooked$done <- new.env()
    hooked$seen <- new.env()
    hooked$packages <- list()
    replace_samplers()
    visit_environment(globalenv())
    hooked$program <- rewritten(f)
    visit_methods()
  }
  hooked$on <- TRUE
  hooked$program
}

# Puts the program's own functions back.
unhook_program <- function() {
  if (!hooked$on) return(invisible())
  hooked$on <- FALSE
  for (change in rev(hooked$changes)) change_binding(change$env, change$name, change$new, change$old)
  detach("dpcheck", character.only = TRUE)
}

# Puts a value in place of another, unless the program has put a third one there.
change_binding <- function(env, name, from, to) {
  if (exists(name, envir = env, inherits = FALSE) && identical(get(name, envir = env, inherits = FALSE), from)) bind(name, to, env)
}

bind <- function(name, value, env) {
  locked <- bindingIsLocked(name, env)
  if (locked) unlockBinding(name, env)
  assign(name, value, envir = env)
  if (locked) lockBinding(name, env)
}

put <- function(name, value, env) {
  old <- get(name, envir = env, inherits = FALSE)
  hooked$changes[[length(hooked$changes) + 1]] <- list(env = env, name = name, old = old, new = value)
  bind(name, value, env)
}

# Masks by the names that rewritten functions have for them. They are attached: every package looks there in the end.
masks_by_name <- function() {
  replace_in_frame <- with_masks_in(base::`[<-.data.frame`)
  masks <- c(MASKS, list(
    "for" = mask_for,
    plain = plain,
    "[" = function(x, ...) x[...],
    "[[" = function(x, ...) x[[...]],
    "[<-" = function(x, ..., value) {
      if (is_traced(value) && !is_traced(x) && !is.list(x)) return(METHODS[["[<-"]](x, ..., value = value))
      if (is_traced(value) && identical(class(x), "data.frame")) return(replace_in_frame(x, ..., value = value))
      x[...] <- value
      x
    },
    "[[<-" = function(x, ..., value) {
      if (is_traced(value) && !is_traced(x) && is.atomic(x) && !is.null(x)) return(METHODS[["[[<-"]](x, ..., value = value))
      x[[...]] <- value
      x
    }
  ))
  stats::setNames(masks, mask_name(names(masks)))
}

# Samplers of stats and base, wherever they were imported to.
replace_samplers <- function() {
  for (name in names(SAMPLERS)) {
    if (!is.null(originals[[name]])) {
      original <- originals[[name]]
    } else {
      original <- get(name, envir = if (name %in% c("sample.int", "set.seed")) baseenv() else asNamespace("stats"))
      originals[[name]] <<- original
      SAMPLERS[[name]] <<- with_tape(SAMPLERS[[name]], original)
    }
    replace_everywhere(name, original, SAMPLERS[[name]])
  }
}

# A sampler that is followed while something is recorded.
with_tape <- function(followed, original) {
  force(followed)
  force(original)
  function(...) if (is.null(current$tape)) original(...) else followed(...)
}

# Puts a function in place of another in its namespace, where it was imported to, and in what is attached.
replace_everywhere <- function(name, old, new) {
  imports <- lapply(loadedNamespaces(), function(package) parent.env(asNamespace(package)))
  namespaces <- lapply(loadedNamespaces(), asNamespace)
  attached <- lapply(search(), as.environment)
  for (env in c(namespaces, imports, attached)) {
    if (exists(name, envir = env, inherits = FALSE) && identical(get(name, envir = env, inherits = FALSE), old)) put(name, new, env)
  }
}

visit_environment <- function(env) {
  for (known in hooked$environments) if (identical(known, env)) return(invisible())
  hooked$environments[[length(hooked$environments) + 1]] <- env
  for (name in ls(env, all.names = TRUE, sorted = FALSE)) {
    if (startsWith(name, "dpcheck_") || name == "..." || bindingIsActive(name, env)) next
    value <- tryCatch(get(name, envir = env, inherits = FALSE), error = function(e) NULL)
    new <- walked(value, name)
    if (!identical(new, value)) put(name, new, env)
  }
}

# A value in which functions are rewritten: in lists, in the slots of objects, in environments.
walked <- function(value, name = "") {
  if (is.function(value)) return(if (is.primitive(value)) value else sampled(value, name))
  if (is.environment(value)) {
    if (!is_left(value)) visit_environment(value)
    return(value)
  }
  if (is.list(value) && !is.data.frame(value) && length(value) <= 1000) {
    for (i in seq_along(value)) {
      if (is.function(value[[i]]) || is.list(value[[i]]) || is.environment(value[[i]]) || isS4(value[[i]])) {
        own <- names(value)[i]
        value[[i]] <- walked(value[[i]], if (is.null(own)) "" else own)
      }
    }
    return(value)
  }
  if (isS4(value) && !methods::is(value, "classRepresentation")) {
    for (slot in setdiff(methods::slotNames(value), ".Data")) {
      held <- methods::slot(value, slot)
      if (is.function(held) || is.list(held)) methods::slot(value, slot, check = FALSE) <- walked(held)
    }
  }
  value
}

# Environments that are not the program's.
is_left <- function(env) {
  identical(env, baseenv()) || identical(env, emptyenv()) || identical(env, recorder) || identical(env, .BaseNamespaceEnv) ||
    isNamespace(env) || !is.null(attr(env, "path")) || environmentName(env) == "Autoloads"
}

# A mask for a function of that name where it is a sampler, else the function rewritten.
sampled <- function(f, name) {
  if (any(vapply(SAMPLER_NAMES, grepl, TRUE, name))) {
    mask <- sampler_mask(f, name)
    if (!is.null(mask)) return(mask)
  }
  rewritten(f)
}

rewritten <- function(f) {
  if (is.primitive(f)) return(f)
  for (name in names(originals)) if (identical(f, originals[[name]])) return(SAMPLERS[[name]])
  env <- environment(f)
  top <- topenv(env)
  if (isNamespace(top) && getNamespaceName(top) %in% LEFT) return(f)
  new <- f
  if (is.null(attr(f, "dpcheck"))) {
    new <- with_masks_in(f)
  }
  look_up(as.call(c(quote(`{`), formals(f), body(f))), env)
  while (!is_left(env) && !identical(env, globalenv())) {
    visit_environment(env)
    env <- parent.env(env)
  }
  new
}

with_masks_in <- function(f) {
  env <- environment(f)
  locals <- names_of_functions(body(f))
  new <- as.function(c(lapply(formals(f), with_masks, env, locals), list(with_masks(body(f), env, locals))), envir = env)
  attributes(new) <- attributes(f)
  if (isS4(f)) new <- asS4(new)
  attr(new, "dpcheck") <- TRUE
  new
}

# Rewrites the functions of packages that stand in an expression, by name or by a text that may be one.
look_up <- function(expr, env) {
  for (path in paths_of(expr)) {
    namespace <- if (path[1] %in% loadedNamespaces()) asNamespace(path[1])
    if (!is.null(namespace[[path[2]]])) visit_in_package(path[2], namespace[[path[2]]])
  }
  for (name in unique(c(all.names(expr), strings_of(expr)))) {
    if (!nzchar(name)) next
    hooked$seen[[name]] <- TRUE
    at <- env
    while (!identical(at, emptyenv()) && !exists(name, envir = at, inherits = FALSE)) at <- parent.env(at)
    if (identical(at, emptyenv()) || identical(at, globalenv()) || bindingIsActive(name, at)) next
    visit_in_package(name, get(name, envir = at, inherits = FALSE))
  }
}

# Functions that are named with their package, as texts.
paths_of <- function(expr) {
  if (!is.call(expr)) return(NULL)
  is_path <- is.symbol(expr[[1]]) && as.character(expr[[1]]) %in% c("::", ":::")
  if (is_path) list(c(as.character(expr[[2]]), as.character(expr[[3]]))) else unlist(lapply(as.list(expr), paths_of), recursive = FALSE)
}

visit_in_package <- function(name, value) {
  if (is.environment(value) && !is_left(value)) return(visit_environment(value))
  if (!is.function(value) || is.primitive(value)) return(invisible())
  top <- topenv(environment(value))
  if (!isNamespace(top) || identical(top, .BaseNamespaceEnv)) return(invisible())
  package <- getNamespaceName(top)[[1]]
  if (package %in% LEFT) return(invisible())
  if (!is_new(paste0(package, "::", name), TRUE)) return(invisible())
  hooked$packages[[package]] <- top
  new <- sampled(value, name)
  if (!identical(new, value)) replace_everywhere(name, value, new)
}

# Methods are called by no name of theirs: those of the packages that are used, of generics whose names were seen.
visit_methods <- function() {
  for (group in c("Ops", "Math", "Summary")) hooked$seen[[group]] <- TRUE
  repeat {
    before <- length(hooked$done)
    for (namespace in hooked$packages) {
      table <- namespace[[".__S3MethodsTable__."]]
      for (name in ls(table, all.names = TRUE)) {
        if (is_new(paste(getNamespaceName(namespace), name), is_method_of_seen(name))) put(name, rewritten(table[[name]]), table)
      }
      for (name in grep("^\\.__T__", ls(namespace, all.names = TRUE), value = TRUE)) {
        generic <- sub(":[^:]*$", "", sub("^\\.__T__", "", name))
        if (is_new(paste(getNamespaceName(namespace), name), !is.null(hooked$seen[[generic]]))) visit_environment(namespace[[name]])
      }
    }
    if (length(hooked$done) == before) break
  }
}

# Tells if the name before one of its dots is that of a generic that was seen.
is_method_of_seen <- function(name) {
  dots <- gregexpr(".", name, fixed = TRUE)[[1]]
  any(vapply(dots[dots > 1], function(at) !is.null(hooked$seen[[substr(name, 1, at - 1)]]), TRUE))
}

is_new <- function(key, is_wanted) {
  if (!is_wanted || !is.null(hooked$done[[key]])) return(FALSE)
  hooked$done[[key]] <- TRUE
  TRUE
}

strings_of <- function(expr) {
  if (is.character(expr)) return(expr[nchar(expr) < 100])
  if (is.call(expr) || is.pairlist(expr)) return(unlist(lapply(as.list(expr), strings_of)))
  NULL
}

# Names that are given functions inside of an expression.
names_of_functions <- function(expr) {
  if (!is.call(expr)) return(NULL)
  own <- NULL
  is_assignment <- is.symbol(expr[[1]]) && as.character(expr[[1]]) %in% c("<-", "=", "<<-")
  if (is_assignment && is.symbol(expr[[2]])) own <- as.character(expr[[2]])
  c(own, unlist(lapply(as.list(expr)[-1], names_of_functions)))
}

UNTOUCHED <- c("quote", "bquote", "substitute", "expression", "~", "UseMethod", "missing", "on.exit", "::", ":::", "@", "$")

# An expression that calls masks in place of functions of base and stats. env is where its names are looked up, but for locals.
with_masks <- function(expr, env, locals) {
  if (!is.call(expr)) return(expr)
  head <- expr[[1]]
  if (is.call(head)) {
    is_path <- length(head) == 3 && is.symbol(head[[1]]) && as.character(head[[1]]) %in% c("::", ":::")
    if (is_path && as.character(head[[2]]) %in% c("base", "stats") && as.character(head[[3]]) %in% names(MASKS)) {
      expr[[1]] <- as.name(mask_name(as.character(head[[3]])))
    } else if (!is_path) expr[[1]] <- with_masks(head, env, locals)
    return(arguments_with_masks(expr, env, locals))
  }
  name <- if (is.symbol(head)) as.character(head) else ""
  if (name == "function") {
    if (!is.null(expr[[2]])) {
      for (i in seq_along(expr[[2]])) if (is.call(expr[[2]][[i]])) expr[[2]][[i]] <- with_masks(expr[[2]][[i]], env, locals)
    }
    if (is.call(expr[[3]])) expr[[3]] <- with_masks(expr[[3]], env, locals)
    return(expr)
  }
  if (name %in% c("$", "@")) {
    expr[[2]] <- with_masks(expr[[2]], env, locals)
    return(expr)
  }
  if (name %in% UNTOUCHED) return(expr)
  if (name %in% c("<-", "=", "<<-")) {
    expr[[2]] <- target_with_masks(expr[[2]], env, locals)
    if (is.call(expr[[3]])) expr[[3]] <- with_masks(expr[[3]], env, locals)
    return(expr)
  }
  expr <- arguments_with_masks(expr, env, locals)
  if (name == "for") expr[[3]] <- as.call(list(as.name(mask_name("for")), expr[[3]]))
  if (name %in% c("if", "while", "switch")) expr[[2]] <- as_plain(expr[[2]])
  if (name %in% c("[", "[[")) {
    for (i in indices_of(expr)) if (is_worth_it(expr[[i]])) expr[[i]] <- as_plain(expr[[i]])
  }
  if (name %in% names(MASKS) && !(name %in% locals) && is_original(name, env)) expr[[1]] <- as.name(mask_name(name))
  expr
}

as_plain <- function(expr) as.call(list(as.name(mask_name("plain")), expr))

# The places of indices in a call of `[`: arguments with a name are options.
indices_of <- function(expr) {
  places <- seq_along(expr)[-(1:2)]
  if (is.null(names(expr))) places else places[names(expr)[places] == ""]
}

# An index that may be noisy, and is not for the class of x to read as a call.
is_worth_it <- function(part) {
  if (is.call(part)) return(!is.symbol(part[[1]]) || !(as.character(part[[1]]) %in% c(".", ":=", "list", "order", "~")))
  is.symbol(part) && nzchar(as.character(part)) && !identical(part, quote(...)) && !startsWith(as.character(part), ".")
}

arguments_with_masks <- function(expr, env, locals) {
  for (i in seq_along(expr)[-1]) if (is.call(expr[[i]])) expr[[i]] <- with_masks(expr[[i]], env, locals)
  expr
}

# The target of an assignment: x[i] <- value calls the mask of `[<-`, if x is plain and value is not.
target_with_masks <- function(target, env, locals) {
  if (!is.call(target)) return(target)
  name <- if (is.symbol(target[[1]])) as.character(target[[1]]) else ""
  target[[2]] <- target_with_masks(target[[2]], env, locals)
  for (i in seq_along(target)[-(1:2)]) if (is.call(target[[i]])) target[[i]] <- with_masks(target[[i]], env, locals)
  if (name %in% c("[", "[[")) for (i in indices_of(target)) if (is_worth_it(target[[i]])) target[[i]] <- as_plain(target[[i]])
  if (name %in% c("[", "[[")) target[[1]] <- as.name(mask_name(name))
  target
}

is_original <- function(name, env) {
  found <- get0(name, envir = env, mode = "function")
  if (is.null(found)) return(FALSE)
  is.primitive(found) || {
    top <- topenv(environment(found))
    isNamespace(top) && getNamespaceName(top) %in% c("base", "stats")
  }
}
