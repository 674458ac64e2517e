"""Puts the hooks in place while an output is recorded, and takes them out after it."""

import sys

from . import math_hooks, names, presets, python_sources, torch_source
from .current import current
from .torch_source import SeededTorch, is_generator, torch_module
from .traced_number import TracedNumber


class Hooks:
    """The replacements, made once for a set of loaded libraries."""

    def __init__(self):
        self.loaded = loaded_libraries()
        self.entries = python_sources.hooks() + math_hooks.math_hooks() + math_hooks.json_hooks() + math_hooks.decimal_hooks()
        # By the identity of what is replaced, which is kept, so that its identity is not given to something else.
        self.replacements = {}
        self.finders = [python_sources.replacement]
        self.watch = None
        self.traced = (TracedNumber, python_sources.TracedRandom, python_sources.TracedSystemRandom)
        if "numpy" in self.loaded:
            from . import numpy_sources
            from .traced_array import TracedArray

            self.entries += numpy_sources.hooks() + math_hooks.array_hooks()
            self.replacements.update(numpy_sources.ORIGINALS)
            self.finders.append(numpy_sources.replacement)
            self.watch = numpy_sources.GlobalStateWatch()
            self.traced += (TracedArray, numpy_sources.TracedGenerator, numpy_sources.TracedRandomState)
        if "scipy.stats" in self.loaded:
            from . import scipy_sources

            self.entries += scipy_sources.hooks()
        if "pandas" in self.loaded:
            self.entries += math_hooks.pandas_hooks()
        if torch_module() is not None:
            from .torch_tensors import TracedTensor

            self.entries += torch_source.hooks()
            self.traced += (TracedTensor,)
        self.entries += presets.hooks()
        for owner, name, replacement in self.entries:
            original = vars(owner).get(name, MISSING)
            if original is not MISSING and callable(original) and not isinstance(owner, type):
                self.replacements[id(original)] = original, replacement

    def replacement(self, value):
        """The replacement of a value, under whatever name the program has for it; None for all others."""
        try:
            found = self.replacements.get(id(value))
            if found is not None:
                return found[1]
            if is_generator(value):
                return value  # It stays where it is, with the state of the seed.
            for finder in self.finders:
                found = finder(value)
                if found is not None:
                    return found
        except Exception:
            pass  # An object of the program that cannot be asked.
        return None


MISSING = object()
LIBRARIES = ("numpy", "scipy.stats", "pandas", "torch")
_hooks = None


def loaded_libraries():
    modules = ((name, sys.modules.get(name)) for name in LIBRARIES)
    loaded = tuple(name for name, module in modules if module is not None and not _is_loading(module))
    return loaded + presets.loaded_presets()


def _is_loading(module):
    return getattr(getattr(module, "__spec__", None), "_initializing", False)


def current_hooks():
    global _hooks
    if _hooks is None or _hooks.loaded != loaded_libraries():
        _hooks = Hooks()
    return _hooks


class Recording:
    """The hooks in place for one tape."""

    def __init__(self, f, tape):
        self.f = f
        self.tape = tape

    def __enter__(self):
        self.hooks = hooks = current_hooks()
        self.originals, self.sites, self.before, self.position, self.torch = [], [], [], None, None
        try:
            sites = names.Walk(hooks.replacement).program(self.f)
            sites += names.library_sites(hooks.replacement, hooks.replacement, "recording")
            self.before = [(vars(module), dict(vars(module))) for module in names.modules_of(names.places.PROGRAM)]
            for owner, name, replacement in hooks.entries:
                self.originals.append(vars(owner).get(name, MISSING))
                setattr(owner, name, replacement)
            self.sites = [site for site in sites if not is_generator(site.original)]
            for site in self.sites:
                site.hook()
            if torch_module() is not None:
                self.torch = SeededTorch(torch_module(), self.tape.seed)
                for site in sites:
                    if is_generator(site.original):
                        self.torch.keep(site.original)
            self.position = hooks.watch.value() if hooks.watch else None
        except BaseException:
            self.__exit__()
            raise
        current.tape = self.tape
        return self

    def __exit__(self, *_):
        """Takes the hooks out, all of them, whatever the program did to some."""
        current.tape = None
        for (owner, name, replacement), original in zip(self.hooks.entries, self.originals):
            # A name that the program itself has bound keeps its value.
            if vars(owner).get(name) is replacement:
                if original is MISSING:
                    delattr(owner, name)
                else:
                    setattr(owner, name, original)
        for site in self.sites:
            site.unhook()
        self._forget_traced()
        if self.torch is not None and self.torch.put_back():
            self.tape.note("the noise of torch")
        if self.position is not None and self.hooks.watch.value() != self.position:
            self.tape.note("numpy's global generator was used behind the hooks")

    def _forget_traced(self):
        """Names that the program bound to traced things meanwhile are bound as before."""
        traced = self.hooks.traced
        for namespace, before in self.before:
            for name in [name for name, value in list(namespace.items()) if type(value) in traced]:
                old = before.get(name, MISSING)
                if old is MISSING or type(old) in traced:
                    del namespace[name]
                else:
                    namespace[name] = old
