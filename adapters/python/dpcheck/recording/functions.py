"""Functions of noise: noise of another law, where they are functions of noise alone; else a read."""

import math
import statistics

from .current import current
from .forms import Form, read_form
from .places import here

# These turn uniforms into noise; other functions of uniforms (|u|, cos u) are steps on the way.
FINISHING = {"log", "log1p", "log2", "log10", "multiply", "divide", "tan", "erfinv", "ndtri"}


def _power(x, y):
    try:
        result = x**y
    except OverflowError:
        return math.inf
    return math.nan if isinstance(result, complex) else result


_NORMAL = statistics.NormalDist()


def _sign(x):
    return math.nan if x != x else float((x > 0) - (x < 0))


FUNCTIONS = {
    "log": math.log,
    "log1p": math.log1p,
    "log2": math.log2,
    "log10": math.log10,
    "exp": math.exp,
    "exp2": lambda x: 2.0**x,
    "expm1": math.expm1,
    "sqrt": math.sqrt,
    "cos": math.cos,
    "sin": math.sin,
    "tan": math.tan,
    "arctan": math.atan,
    "arctan2": math.atan2,
    "absolute": abs,
    "fabs": math.fabs,
    "sign": _sign,
    "ndtri": lambda x: _NORMAL.inv_cdf(x) if 0 < x < 1 else math.nan,
    "square": lambda x: x * x,
    "copysign": math.copysign,
    "power": _power,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y,
    "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)),
    "rint": lambda x: float(round(x)),
    "trunc": lambda x: float(math.trunc(x)),
}


def derive(name, args, place=None):
    """A function of forms and plain numbers: a derived atom; a number, where it is a read at this place."""
    tape = current.tape
    place = place or here(2)
    if tape is None or tape.paused or tape.reads_at(place):
        return FUNCTIONS[name](*[read_form(a) if type(a) is Form else a for a in args])
    if not any(type(a) is Form and a.terms for a in args):
        return FUNCTIONS[name](*[a.v if type(a) is Form else a for a in args])
    factor, args = without_factors(name, args)
    key = (name, tuple(a.key() if type(a) is Form else a for a in args))
    atom = tape.functions.get(key)
    if atom is None:
        z = float(FUNCTIONS[name](*[a.value() if type(a) is Form else a for a in args]))
        bases = [atom for a in args if type(a) is Form for atom in a.terms]
        settled = name in FINISHING or any(atom.settled for atom in bases)
        atom = tape.functions[key] = tape.atom("derived", z, place, name, tuple(args), settled)
    return Form(0.0, {atom: factor})


# f(k x) = power(k) f(x) for k > 0: factors are taken out, so that a scale is a coefficient and no part of the noise.
HOMOGENEOUS = {
    "multiply": (1.0, 1.0),
    "divide": (1.0, -1.0),
    "absolute": (1.0,),
    "fabs": (1.0,),
    "square": (2.0,),
    "sqrt": (0.5,),
    "sign": (0.0,),
    "copysign": (1.0, 0.0),
}
# Those of which that holds for k < 0, too.
LINEAR = {"multiply", "divide"}


def without_factors(name, args):
    powers = HOMOGENEOUS.get(name)
    if powers is None:
        return 1.0, args
    factor, left = 1.0, []
    for arg, power in zip(args, powers):
        k = 1.0
        if type(arg) is not Form:
            k = float(arg)
        elif arg.v == 0:
            k = next(iter(arg.terms.values()), 1.0)
        if name not in LINEAR:
            k = abs(k)
        if k == 0 and power == 1.0 and name in LINEAR and type(arg) is Form and len(arg.terms) == 1:
            # A scale of 0, as the data may have it: the noise is the same as with any other scale.
            factor = 0.0
            left.append(Form(0.0, dict.fromkeys(arg.terms, 1.0), arg.has_met))
        elif k in (0.0, 1.0) or k - k != 0:
            left.append(arg)
        else:
            factor *= k**power
            left.append(arg.over(k) if type(arg) is Form else arg / k)
    return factor, left


def product(a, b):
    return derive("multiply", (a, b))


def is_step(form):
    """Tells if a form is noise alone, or a step on the way to noise: 1 - u, for a uniform number u."""
    return form.v == 0 or not any(atom.settled for atom in form.terms)


def quotient(a, b):
    """a / b for a form b: noise over noise is a law of its own; else the divisor is read."""
    if is_step(b) and (type(a) is not Form or is_step(a)):
        return derive("divide", (a, b))
    divisor = read_form(b)
    if type(a) is not Form:
        return a / divisor
    return a.over(divisor) if divisor != 0 else Form(math.nan, {})
