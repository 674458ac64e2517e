"""The draws and reads of one run of a program, and their replay in a second run."""

import math
import random

from .places import here

OriginalRandom = random.Random


class Apart(BaseException):
    """A replayed run asked for another read than the first one; not an Exception, so that no program catches it."""


class TooLong(BaseException):
    """A run that draws or reads more than a recording holds."""


class NotDiscrete(BaseException):
    """A run whose draws are forced read noise in a way that has no list of outcomes."""


class Rare(BaseException):
    """A run whose draws are forced has come to outcomes that are too rare to go on: a loop may have no end."""


# The probability below which such a run ends.
RAREST = 1e-15
# The share of a bound that sums round.
ROUNDING = 2.0**-46
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
        # True if it may count as finished noise. A raw uniform number does not: it is still to be transformed.
        self.settled = settled
        self.whole = law == "geometric" or function in ("floor", "ceil", "rint", "trunc")
        # True if no value has a probability above zero: then it equals nothing.
        self.continuous = not self.whole and function not in ("sign", "copysign") and _has_continuous(of)


def _has_continuous(of):
    """Tells if one of the forms in the arguments of a function is continuous; true of laws with plain numbers only."""
    atoms = [atom for arg in of for atom in getattr(arg, "terms", ())]
    return not atoms or any(atom.continuous for atom in atoms)


class Read:
    """A moment at which the program learned a value of noise: the raw value is what a replay returns again."""

    __slots__ = ("place", "kind", "forms", "shape", "raw", "told", "details", "made", "inside")

    def __init__(self, place, kind, forms, shape, raw, told, details, made=None, inside=False):
        self.place = place
        self.kind = kind
        self.forms = forms
        self.shape = shape
        self.raw = raw
        self.told = told
        self.details = details
        self.made = made
        # True if the program goes on with the number; false if it is an output.
        self.inside = inside

    def where(self):
        at, inner = self.place
        return {"at": at, **({"in": inner} if inner else {}), "kind": self.kind, "shape": list(self.shape)}


class Tape:
    def __init__(self, seed, replay=None, meet=False, as_reads=(), forced=None, kept=None, shifts=None):
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
        # Number of generators that the program has seeded itself.
        self.seeds = 0
        # For forced draws: outcomes of the first ones, all outcomes that were taken, and known bounds of uniforms.
        self.forced = forced
        self.path = []
        # If only discrete draws are forced: results of other reads in earlier such runs; None if other reads end the run.
        self.kept = kept
        # By how much a read of noise alone differs from what it gave, by its number.
        self.shifts = shifts or {}
        # True once the program has ended: numbers that are read from then on are outputs.
        self.is_output = False
        self.is_discrete = True
        self.chance = 1.0
        self.ranges = {}
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
        the value as the answer shows it, if that is another. `made` is the place where the value was computed.
        """
        if self.forced is not None and (self.kept is None or kind == "draw" or is_choice(kind, forms)):
            return self._forced_read(kind, forms, raw)
        at, inner = here(2)
        if at is None and made is not None:
            place = made if made[0] is not None else (inner, None)
        else:
            place = (at, inner) if at is not None else (inner, None)
        if len(self.reads) >= LONGEST:
            raise TooLong()
        read = Read(place, kind, forms, shape, raw, told, details, made[0] if made else None, not self.is_output)
        if self.kept is not None:
            self._keep(read)
        elif self.replay is not None:
            self._check(read)
            first = self.replay[len(self.reads)]
            read.raw, read.told = first.raw, first.told
        if callable(forms):
            read.forms = forms(read.raw)
        self.reads.append(read)
        shift = self.shifts.get(len(self.reads) - 1)
        return read.raw if shift is None else shifted(read.raw, shift)

    def _keep(self, read):
        """Gives a read what the first one like it gave in runs whose discrete draws are forced."""
        if not callable(read.forms) and any(atom in self.ranges for form in read.forms for atom in bases(form)):
            self.not_discrete()  # Noise of which comparisons told something has another law now.
        # Outcomes may lead to other lines; whole numbers stay whole.
        of = read.place if read.kind == "primitive" or callable(read.forms) else tuple(form.is_whole() for form in read.forms)
        key = len(self.reads), read.kind, read.shape, of
        read.raw, read.told = self.kept.setdefault(key, (read.raw, read.told))

    def pick(self, chances, depth=3):
        """The outcome of a discrete draw whose draws are forced: the one asked for, beyond these the most probable.

        `chances` is a list of them, or the number of outcomes that are all alike.
        """
        count = chances if type(chances) is int else len(chances)
        if count == 1:
            return 0
        if len(self.path) >= LONGEST:
            raise TooLong()
        if len(self.path) < len(self.forced):
            outcome = self.forced[len(self.path)]
        else:
            outcome = 0 if type(chances) is int else chances.index(max(chances))
        at, inner = here(depth)
        place = {"at": at or inner or "?", **({"in": inner} if at and inner else {})}
        self.path.append({**place, "outcome": outcome, "of": chances})
        self.chance *= 1 / count if type(chances) is int else chances[outcome]
        if self.is_rare():
            raise Rare()
        return outcome

    def is_rare(self):
        return self.chance < RAREST

    def not_discrete(self):
        self.is_discrete = False
        raise NotDiscrete()

    def _forced_read(self, kind, forms, raw):
        if kind == "draw":
            return raw
        if kind != "sign" or callable(forms):
            self.not_discrete()
        signs = [self._forced_sign(form, value) for form, value in zip(forms, raw if isinstance(raw, list) else [raw])]
        return signs if isinstance(raw, list) else signs[0]

    def _forced_sign(self, form, positive):
        """Tells if a uniform lies above a bound: a draw of two outcomes, given earlier bounds."""
        if not form.terms or form.v != form.v:
            return positive
        (atom, coefficient), *others = form.terms.items()
        # A comparison of a number that noise was made of before, and was read, is no choice: it tells of that noise.
        if others or atom.law != "uniform" or coefficient == 0 or any(atom in bases(own) for read in self.reads for own in read.forms):
            self.not_discrete()
        low, high = self.ranges.get(atom, (0.0, 1.0))
        bound = min(max(-form.v / coefficient, low), high)
        # A sum of probabilities that should be 1 ends a little below: what is left above it is rounding, and no outcome.
        if high - bound <= ROUNDING * high:
            bound = high
        elif low > 0 and bound - low <= ROUNDING * high:
            bound = low
        chances = [(bound - low) / (high - low), (high - bound) / (high - low)]
        up = self.pick(chances, 6) == 1 if low < bound < high else bound == low
        self.ranges[atom] = (bound, high) if up else (low, bound)
        return up == (coefficient > 0)

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
        """Tells if a function of noise at this place is a read, and not noise itself."""
        at, inner = place
        return (at or inner) in self.as_reads or (None not in place and "%s in %s" % place in self.as_reads)

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


def is_choice(kind, forms):
    """Tells if a read compares uniform noise with bounds."""
    return kind == "sign" and not callable(forms) and all(
        len(form.terms) < 2 and all(atom.law == "uniform" and c != 0 for atom, c in form.terms.items()) for form in forms
    )


def are_noise_alone(forms):
    """Tells if all numbers of a read that are not plain are noise to which no plain number was added."""
    noisy = [form for form in forms if form.terms]
    return bool(noisy) and all(form.v == 0 and not form.has_met for form in noisy)


def bases(form):
    """The atoms of standard laws that a form is made of."""
    for atom in form.terms:
        if atom.law != "derived":
            yield atom
        for part in atom.of if atom.law == "derived" else ():
            if hasattr(part, "terms"):
                yield from bases(part)


def shifted(raw, by):
    return [x + y for x, y in zip(raw, by)] if isinstance(raw, list) else raw + by[0]


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
