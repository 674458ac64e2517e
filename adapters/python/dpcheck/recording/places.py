"""Places in the source: the innermost line of the program, and the library's line behind it."""

import os
import sys
import sysconfig

HIDDEN, LIBRARY, PROGRAM, QUIET_LIBRARY = 1, 2, 3, 4

OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
STANDARD = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})
# Lines of these libraries tell a reader nothing: the line that calls them is shown.
UNTOLD = ("numpy", "scipy", "torch")
# As little as these, but sources of noise are looked for in them.
QUIET = ("pandas", "joblib")

_folder = os.getcwd() + os.sep
_folders = {}
_kinds = {}
_labels = {}
# The code of the function that calls the user's: frames outside it belong to the harness.
_boundary = None


def set_program(f):
    """Says which folder is that of the program: the folder of f's file, else that of the main program."""
    global _folder
    code = getattr(f, "__code__", None) or getattr(getattr(f, "__call__", None), "__code__", None)
    file = code.co_filename if code is not None else ""
    found = _folders.get(file)
    if found is None:
        found = _folders[file] = _folder_of(file)
    if found != _folder:
        _folder = found
        _kinds.clear()
        _labels.clear()


def _folder_of(file):
    if not os.path.isfile(file) or _is_library(file):
        file = getattr(sys.modules.get("__main__"), "__file__", None) or ""
    return os.path.dirname(os.path.abspath(file)) + os.sep if os.path.isfile(file) else os.getcwd() + os.sep


def _is_library(file):
    return file.startswith(OWN) or is_installed(file) or is_standard(file)


def folder():
    return _folder


def set_boundary(code):
    global _boundary
    _boundary = code


def is_installed(file):
    return "site-packages" in file or "dist-packages" in file


def is_standard(file):
    return file.startswith(STANDARD) and not is_installed(file)


def kind_of(file):
    """Tells if a file is the program's, a library's, or one whose lines are not shown."""
    kind = _kinds.get(file)
    if kind is None:
        kind = _kinds[file] = _kind_of(file)
    return kind


def _kind_of(file):
    if file.startswith(OWN) or is_standard(file) or file.startswith(("<frozen", "<__array_function__")):
        return HIDDEN
    if is_installed(file):
        within = lambda names: any(os.sep + name + os.sep in file for name in names)  # noqa: E731
        return HIDDEN if within(UNTOLD) else QUIET_LIBRARY if within(QUIET) else LIBRARY
    if file.startswith("<") or os.path.abspath(file).startswith(_folder):
        return PROGRAM
    return LIBRARY


def label(file, line):
    text = _labels.get((file, line))
    if text is None:
        text = _labels[file, line] = "%s:%d" % (_shown(file), line)
    return text


def _shown(file):
    if file.startswith("<"):
        return file
    path = os.path.abspath(file)
    roots = [_folder] if path.startswith(_folder) else [os.path.abspath(root) + os.sep for root in sys.path if root]
    inside = [path[len(root) :] for root in roots if path.startswith(root)]
    return min(inside, key=len) if inside else path


def here(depth=1):
    """The place of the innermost frames: (line of the program or None, line of a library or None)."""
    frame = sys._getframe(depth)
    inner = None
    kinds = _kinds
    while frame is not None:
        code = frame.f_code
        file = code.co_filename
        kind = kinds.get(file) or kind_of(file)
        if kind == PROGRAM:
            line = frame.f_lineno
            return (_labels.get((file, line)) or label(file, line)), inner
        if kind == LIBRARY:
            if inner is None:
                inner = label(file, frame.f_lineno)
        elif code is _boundary:
            break
        frame = frame.f_back
    return None, inner
