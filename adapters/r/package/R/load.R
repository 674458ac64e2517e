# Functions are kept with their lines, which watched noise names. The folder is known when the package is loaded.
.onLoad <- function(libname, pkgname) {
  options(keep.source = TRUE)
  assign("dpcheck_folder", file.path(libname, pkgname, "recording"), envir = topenv())
}
