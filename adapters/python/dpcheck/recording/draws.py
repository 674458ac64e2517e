"""Noise handed out as traced numbers, and discrete draws, whose outcome is a read with its chances."""

import math

from .forms import Form, read_form
from .places import here
from .tape import standard_value
from .traced_number import TracedNumber


def plain(value):
    """A parameter of a draw as a plain number: traced ones are read."""
    return value.read() if getattr(type(value), "is_traced", False) else value


def noise(tape, law, loc, scale):
    """loc + scale * z, with a new atom z."""
    place = here(2)
    scale = plain(scale)
    if scale < 0:
        raise ValueError("scale < 0")
    form = Form(0.0, {tape.atom(law, standard_value(law, tape.random), place, settled=law != "uniform"): float(scale)})
    return shifted(tape, form, loc, place)


def shifted(tape, form, loc, place):
    """A form moved by loc. Adding 0 is no meeting of noise and data: it is what is written where there is no loc."""
    if type(loc) is TracedNumber:
        return TracedNumber(form.plus(loc.form), place)
    if loc != 0:
        noise_alone = form.is_noise()
        form = form.plus(loc)
        if tape.meet and noise_alone:
            return read_form(form)
    return TracedNumber(form, place)


def derived_noise(tape, function, of, z):
    """A number of another law, known by its name and arguments, that some library drew."""
    place = here(2)
    form = Form(0.0, {tape.atom("derived", float(z), place, function, tuple(of)): 1.0})
    return read_form(form, place) if tape.reads_at(place) else TracedNumber(form, place)


def geometric_value(p, rng):
    if not 0 < p <= 1:
        raise ValueError("p must be in the interval (0, 1]")
    return 1 if p == 1 else max(1, math.ceil(math.log1p(-rng.random()) / math.log1p(-p)))


def geometric(tape, p):
    """The number of trials up to a success: an atom on whole numbers."""
    place = here(2)
    p = float(plain(p))
    return TracedNumber(
        Form(0.0, {tape.atom("geometric", geometric_value(p, tape.random), place, of=(p,)): 1.0}), place
    )


# Bits that are read as a draw, whose outcomes can be listed.
FEW_BITS = 8


def bits(tape, count):
    """Whole numbers below 2^count: a draw where they are few, else used in a way that is not followed: a read of one uniform."""
    if 0 < count <= FEW_BITS:
        return uniform_choice(tape, 1 << count)
    raw = tape.random.getrandbits(count) if count > 0 else 0
    atom = tape.atom("uniform", raw / (1 << max(count, 1)), here(2), settled=False)
    return tape.read("value", [Form(0.0, {atom: 1.0})], (), raw, told=atom.z)


def chances_of(weights):
    """Probabilities from weights; ValueError where there are none."""
    weights = [float(plain(weight)) for weight in weights]
    total = math.fsum(weights)
    if not total > 0 or not math.isfinite(total) or any(weight < 0 for weight in weights):
        raise ValueError("probabilities are not non-negative numbers with a finite sum above 0")
    return [weight / total for weight in weights]


def outcome(tape, chances):
    if tape.forced is not None:
        return tape.pick(list(chances))
    left = tape.random.random()
    for index, chance in enumerate(chances):
        left -= chance
        if left < 0:
            return index
    return max(index for index, chance in enumerate(chances) if chance > 0)


def below(tape, n):
    return tape.random.randrange(n) if tape.forced is None else tape.pick(n)


def ordered(tape, n, k):
    """k of the whole numbers below n, in the order they are drawn."""
    if tape.forced is None:
        return tape.random.sample(range(n), k)
    left = list(range(n))
    return [left.pop(tape.pick(len(left))) for _ in range(k)]


def choice(tape, chances):
    """One outcome, with these chances."""
    return tape.read("draw", (), (len(chances),), outcome(tape, chances), details={"chances": list(chances)})


def choices(tape, chances, count):
    """`count` independent outcomes with these chances, as one read."""
    values = [outcome(tape, chances) for _ in range(count)]
    return tape.read("draw", (), (count, len(chances)), values, details={"chances": list(chances)})


def uniform_choice(tape, n):
    """A whole number below n, all alike."""
    return tape.read("draw", (), (n,), below(tape, n), details={"uniform": n})


def uniform_choices(tape, n, count):
    values = [below(tape, n) for _ in range(count)]
    return tape.read("draw", (), (count, n), values, details={"uniform": n})


def subset(tape, n, k):
    """k of n without putting back, in the order they were drawn."""
    return tape.read("draw", (), (k, n), ordered(tape, n, k), details={"subset": [n, k]})


def permutation(tape, n):
    return tape.read("draw", (), (n, n), ordered(tape, n, n), details={"permutation": n})


MANY = 1000


def binomial(tape, n, p):
    n, p = int(plain(n)), float(plain(p))
    if n < 0 or not 0 <= p <= 1:
        raise ValueError("n < 0" if n < 0 else "p < 0, p > 1 or p is NaN")
    if tape.forced is not None:
        raw = tape.pick([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]) if n < MANY else tape.not_discrete()
    else:
        raw = sum(tape.random.random() < p for _ in range(n)) if n < MANY else _binomial_of_many(tape, n, p)
    return tape.read("draw", (), (), raw, details={"binomial": [n, p]})


def _binomial_of_many(tape, n, p):
    return int(tape.plain_numpy("Generator").binomial(n, p))


def other(tape, law, arguments, raw):
    """A whole number of another law, known by its name and arguments."""
    if tape.forced is not None:
        tape.not_discrete()
    return tape.read("draw", (), (), raw, details={"other": [law, *arguments]})
