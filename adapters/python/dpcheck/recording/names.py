"""Finds what a program keeps under names of its own: functions and generators bound before the hooks were in place."""

import functools
import sys
import types

from . import places

# A program may hold its data in lists and dictionaries: generators are looked for in small ones.
LARGEST_CONTAINER = 200
DEEPEST = 5
# Values that are looked at in one walk, which is made for every recorded output.
LONGEST_WALK = 20_000
SKIPPED = ("numpy", "scipy", "torch", "dpcheck")


class Site:
    """One name that is bound to something of interest, and how it is bound to something else."""

    __slots__ = ("owner", "key", "original", "replacement")

    def __init__(self, owner, key, original, replacement):
        self.owner = owner
        self.key = key
        self.original = original
        self.replacement = replacement

    def get(self):
        owner, key = self.owner, self.key
        if type(owner) is types.CellType:
            return owner.cell_contents
        if isinstance(owner, (dict, list)):
            return owner[key]
        if isinstance(owner, types.FunctionType):
            return owner.__defaults__[key]
        return vars(owner)[key]

    def put(self, value):
        owner, key = self.owner, self.key
        if type(owner) is types.CellType:
            owner.cell_contents = value
        elif isinstance(owner, (dict, list)):
            owner[key] = value
        elif isinstance(owner, types.FunctionType):
            owner.__defaults__ = (*owner.__defaults__[:key], value, *owner.__defaults__[key + 1 :])
        else:
            setattr(owner, key, value)

    def hook(self):
        self.put(self.replacement)

    def unhook(self):
        """Puts the original back, unless the program has bound the name to something else meanwhile."""
        try:
            if self.get() is self.replacement:
                self.put(self.original)
        except (KeyError, IndexError, ValueError, TypeError):
            pass


def module_kind(module):
    """PROGRAM, LIBRARY, or HIDDEN for what is not looked through."""
    file = getattr(module, "__file__", None)
    name = getattr(module, "__name__", "")
    if name == "__main__":
        return places.PROGRAM
    if name == "statistics":
        return places.LIBRARY  # It has functions of math under names of its own.
    if not isinstance(file, str) or name.partition(".")[0] in SKIPPED:
        return places.HIDDEN
    kind = places.kind_of(file)
    return places.LIBRARY if kind == places.QUIET_LIBRARY else kind


_modules = {}


def modules_of(kind):
    """The loaded modules of a kind; looked up again when others were loaded since."""
    state = (len(sys.modules), places.folder())
    known = _modules.get(kind)
    if known is None or known[0] != state:
        loaded = [module for module in list(sys.modules.values()) if module is not None and module_kind(module) == kind]
        known = _modules[kind] = (state, loaded)
    return known[1]


class Walk:
    """Visits what f and the modules of its program can reach by names."""

    def __init__(self, replacement):
        self.replacement = replacement
        self.sites = []
        self.seen = set()
        self.left = LONGEST_WALK

    def program(self, f):
        self.value(None, None, f, 0)
        for module in modules_of(places.PROGRAM):
            self.namespace(vars(module), 0)
        return self.sites

    def namespace(self, names, depth):
        if id(names) in self.seen:
            return
        self.seen.add(id(names))
        for key, value in list(names.items()):
            if not (type(key) is str and key.startswith("__")):
                self.value(names, key, value, depth)

    def value(self, owner, key, value, depth):
        kind = type(value)
        if kind in PLAIN or depth > DEEPEST or self.left <= 0:
            return
        self.left -= 1
        if owner is not None:
            new = self.replacement(value)
            if new is None and kind is functools.partial:
                inner = self.replacement(value.func)
                new = functools.partial(inner, *value.args, **value.keywords) if inner is not None else None
            if new is not None:
                self.sites.append(Site(owner, key, value, new))
                return
        if id(value) in self.seen or kind is types.ModuleType:
            return
        if kind is types.FunctionType:
            self.function(value, depth)
        elif kind is types.MethodType:
            self.value(None, None, value.__func__, depth)
            self.value(None, None, value.__self__, depth + 1)
        elif kind is functools.partial:
            self.value(None, None, value.func, depth)
        elif kind is dict:
            if len(value) <= LARGEST_CONTAINER:
                self.namespace(value, depth + 1)
        elif kind is list:
            # A list that begins with a number is data.
            if 0 < len(value) <= LARGEST_CONTAINER and type(value[0]) not in PLAIN:
                self.seen.add(id(value))
                for index, item in enumerate(value):
                    self.value(value, index, item, depth + 1)
        elif isinstance(value, type):
            if places.kind_of(_file_of(value)) == places.PROGRAM:
                self.seen.add(id(value))
                for name, item in list(vars(value).items()):
                    if not name.startswith("__") or name in ("__init__", "__call__"):
                        self.value(value, name, item, depth + 1)
        else:
            names = getattr(value, "__dict__", None)
            if type(names) is dict:
                self.namespace(names, depth + 1)
                if places.kind_of(_file_of(kind)) == places.PROGRAM:
                    self.value(None, None, kind, depth + 1)

    def function(self, function, depth):
        self.seen.add(id(function))
        if places.kind_of(function.__code__.co_filename) == places.PROGRAM:
            self.namespace(function.__globals__, depth + 1)
        self.namespace(vars(function), depth + 1)
        for index, item in enumerate(function.__defaults__ or ()):
            self.value(function, index, item, depth + 1)
        if function.__kwdefaults__:
            self.namespace(function.__kwdefaults__, depth + 1)
        for cell in function.__closure__ or ():
            try:
                self.value(cell, None, cell.cell_contents, depth + 1)
            except ValueError:
                pass  # A cell that is still empty.
        self.value(None, None, getattr(function, "__wrapped__", None), depth + 1)


PLAIN = {int, float, str, bool, bytes, type(None), complex, tuple, range}


def _file_of(kind):
    return getattr(sys.modules.get(kind.__module__), "__file__", None) or "<%s>" % kind.__module__


_library_names = {}


def library_sites(replacement, is_source, key):
    """Sites in the namespaces of other libraries; what is of interest is looked up once for a set of modules."""
    modules = modules_of(places.LIBRARY)
    known = _library_names.get(key)
    if known is None or known[0] is not modules:
        found = [
            (vars(module), name, value)
            for module in modules
            for name, value in list(vars(module).items())
            if is_source(value) is not None
        ]
        known = _library_names[key] = (modules, found)
    return [
        Site(namespace, name, value, replacement(value))
        for namespace, name, value in known[1]
        if namespace.get(name) is value
    ]
