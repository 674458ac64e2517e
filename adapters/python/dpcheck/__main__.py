"""Serves a function, or a class of services, of a file or a module: python3 -m dpcheck stats.py:private_sum"""

import importlib
import inspect
import os
import sys

from .serve import serve
from .sessions import serve_sessions

USAGE = "usage: python3 -m dpcheck FILE.py:NAME or MODULE:NAME, the name of a function of rows or of a class of services; dpcheck audit --exec runs it"


def main(words):
    if len(words) != 1 or not all(words[0].rpartition(":")):
        sys.exit(USAGE)
    path, _, name = words[0].rpartition(":")
    subject = getattr(imported(path), name, None)
    if not callable(subject):
        sys.exit("%s has no function and no class named %s" % (path, name))
    (serve_sessions if inspect.isclass(subject) else serve)(subject)


def imported(path):
    """The module: a file below the current folder by its dotted name, so that its relative imports work, and any other from its own folder."""
    if path.endswith(".py"):
        folder, file = os.path.split(os.path.relpath(path))
        inside = [part for part in folder.split(os.sep) if part]
        if not all(part.isidentifier() for part in inside):
            sys.path.insert(0, folder)
            inside = []
        path = ".".join([*inside, file[: -len(".py")]])
    return importlib.import_module(path)


main(sys.argv[1:])
