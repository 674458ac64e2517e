"""What one run of a program draws and reads, and how a second run is given the same."""

import math
import random

from .places import here

OriginalRandom = random.Random


class Apart(BaseException):
    """A replayed run asked for another read than the first one; not an Exception, so that no program catches it."""


class TooLong(BaseException):
    """A run that draws or reads more than a recording holds."""


# Atoms and reads of a run. More would take seconds to send, and a judge minutes.
LONGEST = 20_000


class Atom:
    """One number of noise: a standard law, or a function of other noise."""

    __slots__ = ("index", "law", "z", "place", "function", "of", "settled", "whole", "continuous")

    def __init__(self, index, law, z, place, function=None, of=(), settled=True):
        self.index = index
        self.law = law
        self.z = z
        self.place = place
        self.function = function
        self.of = of
        # Whether it may stand for finished noise: a raw uniform does not, it is still to be transformed.
        self.settled = settled
        self.whole = law == "geometric" or function in ("floor", "ceil", "rint", "trunc")
        # Whether it has no value with a chance above zero: then it equals nothing.
        self.continuous = not self.whole and function not in ("sign", "copysign") and _has_continuous(of)


def _has_continuous(of):
    """Whether one of the forms in the arguments of a function is continuous; true of laws that have numbers alone."""
    atoms = [atom for arg in of for atom in getattr(arg, "terms", ())]
    return not atoms or any(atom.continuous for atom in atoms)


class Read:
    """A moment at which the program learned a value of noise: the raw value is what a replay returns again."""

    __slots__ = ("place", "kind", "forms", "shape", "raw", "told", "details")

    def __init__(self, place, kind, forms, shape, raw, told, details):
        self.place = place
        self.kind = kind
        self.forms = forms
        self.shape = shape
        self.raw = raw
        self.told = told
        self.details = details

    def where(self):
        at, inner = self.place
        return {"at": at, **({"in": inner} if inner else {}), "kind": self.kind, "shape": list(self.shape)}


class Tape:
    def __init__(self, seed, replay=None, meet=False, as_reads=()):
        self.seed = seed
        self.random = OriginalRandom(seed)
        self.replay = replay
        self.meet = meet
        self.as_reads = frozenset(as_reads)
        self.atoms = []
        self.reads = []
        self.functions = {}
        self.apart = None
        self.paused = 0
        self.not_followed = []
        self._plain_random = None
        self._numpy = {}

    def atom(self, law, z, place, function=None, of=(), settled=True):
        if len(self.atoms) >= LONGEST:
            raise TooLong()
        atom = Atom(len(self.atoms), law, z, place, function, of, settled)
        self.atoms.append(atom)
        return atom

    def read(self, kind, forms, shape, raw, told=None, details=None, made=None):
        """Records a read and returns its raw value: that of the first run, where this is a replay.

        `forms` may be a function of the raw value, where which forms are compared depends on what came out. `told` is
        the value as the answer shows it, if that is another. `made` is the place where the value was computed, for
        reads outside the program.
        """
        at, inner = here(2)
        if at is None and made is not None:
            place = made if made[0] is not None else (inner, None)
        else:
            place = (at, inner) if at is not None else (inner, None)
        if len(self.reads) >= LONGEST:
            raise TooLong()
        read = Read(place, kind, forms, shape, raw, told, details)
        if self.replay is not None:
            self._check(read)
            first = self.replay[len(self.reads)]
            read.raw, read.told = first.raw, first.told
        if callable(forms):
            read.forms = forms(read.raw)
        self.reads.append(read)
        return read.raw

    def _check(self, read):
        k = len(self.reads)
        expected = self.replay[k] if k < len(self.replay) else None
        if self.apart is None and (
            expected is None
            or expected.kind != read.kind
            or expected.shape != read.shape
            or expected.place != read.place
        ):
            self.apart = {"read": k, "expected": expected.where() if expected else None, "met": read.where()}
        if self.apart is not None:
            raise Apart()

    def finish(self):
        """Notes a replay that ended with fewer reads than the first run."""
        k = len(self.reads)
        if self.replay is not None and self.apart is None and k < len(self.replay):
            self.apart = {"read": k, "expected": self.replay[k].where(), "met": None}

    def reads_at(self, place):
        """Whether a function of noise at this place is a read, and no noise of its own."""
        return (place[0] or place[1]) in self.as_reads

    def note(self, text):
        if text not in self.not_followed:
            self.not_followed.append(text)

    def plain_random(self):
        """Seeded numbers that are not recorded."""
        if self._plain_random is None:
            self._plain_random = OriginalRandom(self.seed ^ 0x5DEECE66D)
        return self._plain_random

    def plain_numpy(self, kind):
        """A generator of NumPy ("Generator" or "RandomState") that is seeded and not recorded."""
        if kind not in self._numpy:
            from .numpy_originals import original_generator

            self._numpy[kind] = original_generator(kind, self.seed)
        return self._numpy[kind]


def standard_value(law, rng):
    """A draw of a standard law."""
    return SAMPLERS[law](rng)


def _laplace(rng):
    u = rng.random()
    return math.log(2 * u + 1e-300) if u < 0.5 else -math.log(2 - 2 * u)


def _gumbel(rng):
    return -math.log(rng.expovariate(1.0) or 5e-324)


def _logistic(rng):
    u = rng.random() or 5e-324
    return math.log(u / (1 - u))


SAMPLERS = {
    "laplace": _laplace,
    "normal": lambda rng: rng.gauss(0.0, 1.0),
    "exponential": lambda rng: rng.expovariate(1.0),
    "uniform": lambda rng: rng.random(),
    "gumbel": _gumbel,
    "logistic": _logistic,
}
