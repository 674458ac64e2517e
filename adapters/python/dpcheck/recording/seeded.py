"""Outputs of a given randomness: every source of noise starts again from a seed, and is as it was afterwards."""

import os
import random
import sys

from . import names
from .python_sources import ClassOfGenerators, owner_of
from .tape import OriginalRandom
from .torch_source import SeededTorch, is_generator, torch_module


class SeededRandom(OriginalRandom, metaclass=ClassOfGenerators):
    """random.Random() without a seed, which would ask the system for one."""

    stream = None

    def __init__(self, x=None):
        super().__init__(self.stream.getrandbits(64) if x is None else x)


class Seeded:
    def __init__(self, f, seed):
        self.f = f
        self.seed = seed

    def __enter__(self):
        self.undo = []
        try:
            self._seed()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _seed(self):
        stream = SeededRandom.stream = OriginalRandom(self.seed ^ 0x9E3779B97F4A7C15)
        urandom, seed_global, original_seed = stream.randbytes, random._inst.seed, random.seed

        def reseed(a=None, *args, **kwargs):
            return original_seed(stream.getrandbits(64) if a is None else a, *args, **kwargs)

        original = os.urandom
        self.replacements = {id(original): urandom, id(OriginalRandom): SeededRandom, id(original_seed): reseed}
        for owner, name, value in (
            (os, "urandom", urandom),
            (random, "_urandom", urandom),
            (random, "Random", SeededRandom),
            (random, "seed", reseed),
        ):
            self._set(owner, name, value)
        self._keep(random._inst.setstate, random._inst.getstate())
        seed_global(self.seed)
        if sys.modules.get("numpy") is not None:
            self._seed_numpy()
        self.torch = None
        if torch_module() is not None:
            self.torch = SeededTorch(torch_module(), self.seed)
            self.undo.append(self.torch.put_back)
        self.found = 0
        walk = names.Walk(self._found)
        sites = walk.program(self.f) + names.library_sites(self._found, self._is_source, "seeded")
        for site in sites:
            if site.original is not site.replacement:
                site.hook()
                self.undo.append(site.unhook)

    def _set(self, owner, name, value):
        original = getattr(owner, name)
        setattr(owner, name, value)
        self.undo.append(lambda: setattr(owner, name, original))

    def _keep(self, put, state):
        self.undo.append(lambda: put(state))

    def _seed_numpy(self):
        """NumPy's global generator; others that are given no seed ask `secrets`, and so `random._urandom`, for one."""
        from .numpy_originals import global_state as state

        self._keep(state.set_state, state.get_state(legacy=False))
        state.seed(self.seed)

    def _found(self, value):
        """Seeds a generator that the program holds (it stays where it is), and replaces functions by seeded ones."""
        replacement = self.replacements.get(id(value))
        if replacement is not None:
            return replacement
        if self.torch is not None and is_generator(value):
            self.torch.keep(value)
            return value
        owner = owner_of(value)
        for generator in (value, owner):
            if isinstance(generator, OriginalRandom) and not isinstance(generator, random.SystemRandom):
                if generator is not random._inst:
                    self._keep(generator.setstate, generator.getstate())
                    OriginalRandom.seed(generator, "%d %d" % (self.seed, self._next()))
                return value
            bits = _bit_generator(generator)
            if bits is not None:
                self._keep(lambda state, bits=bits: setattr(bits, "state", state), bits.state)
                bits.state = type(bits)([self.seed, self._next()]).state
                return value
        return None

    def _is_source(self, value):
        if id(value) in self.replacements or is_generator(value):
            return value
        generator = value if owner_of(value) is None else owner_of(value)
        return value if isinstance(generator, OriginalRandom) or _bit_generator(generator) is not None else None

    def _next(self):
        self.found += 1
        return self.found

    def __exit__(self, *_):
        """Puts all back, whatever the program did to some of it."""
        for undo in reversed(self.undo):
            try:
                undo()
            except Exception:
                pass


def _bit_generator(value):
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    from .numpy_originals import Generator, RandomState, global_state

    if value is global_state or not isinstance(value, (Generator, RandomState)):
        return None
    return value._bit_generator if isinstance(value, RandomState) else value.bit_generator
