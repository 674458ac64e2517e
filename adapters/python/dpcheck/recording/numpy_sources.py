"""NumPy's generators, old and new, and the functions of numpy.random, as a recording hands them out."""

import ctypes

import numpy as np

from . import draws, numpy_originals
from .current import current, seeded
from .numpy_methods import FollowedMethods, followed, noise, of_other_law
from .numpy_originals import Generator, RandomState
from .python_sources import ClassOfGenerators, replacement_among

# The state of traced generators is never used; one is shared, since making it costs more than a recorded run.
_unused = {Generator: np.random.PCG64(0), RandomState: np.random.MT19937(0)}
_afterwards = {}


def _plain_generator(kind):
    """Seeded numbers for what is not recorded; an ordinary generator for a program that keeps a traced one."""
    if current.tape is not None:
        return current.tape.plain_numpy(kind)
    if kind not in _afterwards:
        _afterwards[kind] = numpy_originals.original_generator(kind, None)
    return _afterwards[kind]


class TracedGenerator(FollowedMethods, Generator, metaclass=ClassOfGenerators):
    def __init__(self, *_, **__):
        Generator.__init__(self, _unused[Generator])

    def _plain(self):
        return _plain_generator("Generator")

    @followed
    def integers(self, tape, low, high=None, size=None, dtype=np.int64, endpoint=False):
        if endpoint:
            low, high = (0, low + 1) if high is None else (low, high + 1)
        return self._integers(tape, low, high, size, dtype)

    @followed
    def permuted(self, tape, x, axis=None, out=None):
        if axis is not None:
            tape.note("permuted(axis=...) of numpy.random")
        x = np.asarray(x)
        return x.ravel()[draws.permutation(tape, x.size)].reshape(x.shape)

    @property
    def bit_generator(self):
        if current.tape is not None:
            current.tape.note("a bit generator of numpy.random was used by itself")
        return self._plain().bit_generator

    def spawn(self, n_children):
        return [TracedGenerator() for _ in range(n_children)]


class TracedRandomState(FollowedMethods, RandomState, metaclass=ClassOfGenerators):
    def __init__(self, seed=None, *_, **__):
        seeded(seed)
        RandomState.__init__(self, _unused[RandomState])

    def _plain(self):
        return _plain_generator("RandomState")

    def seed(self, seed=None, *_, **__):
        """A program's own seed: the noise of a recording is that of the recording's seed."""
        seeded(seed)

    @followed
    def randint(self, tape, low, high=None, size=None, dtype=int):
        return self._integers(tape, low, high, size, dtype)

    @followed
    def random_integers(self, tape, low, high=None, size=None):
        low, high = (1, low) if high is None else (low, high)
        return self._integers(tape, low, high + 1, size, int)

    @followed
    def rand(self, tape, *shape):
        return noise(tape, "uniform", 0.0, 1.0, shape or None)

    @followed
    def randn(self, tape, *shape):
        return noise(tape, "normal", 0.0, 1.0, shape or None)

    @followed
    def random_sample(self, tape, size=None):
        return noise(tape, "uniform", 0.0, 1.0, size)

    sample = ranf = random_sample
    tomaxint = of_other_law("tomaxint")


STATE = TracedRandomState()
GENERATOR = TracedGenerator()


def traced_default_rng(seed=None):
    if type(seed) is TracedGenerator:
        return seed
    seeded(seed)
    return GENERATOR


def hooks():
    module = np.random
    names = [name for name in dir(TracedRandomState) if not name.startswith("_") and hasattr(module, name)]
    table = [(module, name, getattr(STATE, name)) for name in names]
    table += [
        (module, "default_rng", traced_default_rng),
        (module, "Generator", TracedGenerator),
        (module, "RandomState", TracedRandomState),
        (module.mtrand, "_rand", STATE),
    ]
    return table


ORIGINALS = {
    id(numpy_originals.default_rng): (numpy_originals.default_rng, traced_default_rng),
    id(numpy_originals.global_state): (numpy_originals.global_state, STATE),
}


TRACED = {Generator: GENERATOR, RandomState: STATE}


def replacement(value):
    return replacement_among(TRACED, value)


class GlobalStateWatch:
    """Sees whether NumPy's own global generator moved while the hooks were in place."""

    def __init__(self):
        # MT19937 keeps 624 words, then its position in them.
        address = numpy_originals.global_state._bit_generator.ctypes.state_address
        self.position = ctypes.c_int.from_address(address + 624 * 4)

    def value(self):
        return self.position.value
