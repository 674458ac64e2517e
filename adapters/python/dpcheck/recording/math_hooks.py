"""Functions of `math`, `json` and NumPy that would read traced numbers without need, or not take them at all."""

import decimal
import json
import math

from .current import active
from .functions import FUNCTIONS, derive
from .traced_number import TracedNumber, number

ORIGINALS = {name: getattr(math, name) for name in dir(math)}


def _derived(name, function):
    original = ORIGINALS[name]

    def call(*args):
        for arg in args:
            if type(arg) is TracedNumber:
                break
        else:
            return original(*args)
        forms = [arg.form if type(arg) is TracedNumber else float(arg) for arg in args]
        return number(derive(function, forms))

    call.__name__ = name
    return call


def _log(x, *base):
    if type(x) is not TracedNumber:
        return ORIGINALS["log"](x, *base)
    natural = number(derive("log", (x.form,)))
    return natural / ORIGINALS["log"](*base) if base else natural


def _of_the_plain_number(name):
    """isfinite and its like: noise is finite, so that they depend on the plain number alone."""
    original = ORIGINALS[name]
    return lambda x: original(x.form.v if type(x) is TracedNumber else x)


def _fsum(items):
    items = list(items)
    if not any(type(item) is TracedNumber for item in items):
        return ORIGINALS["fsum"](items)
    plain = ORIGINALS["fsum"](item for item in items if type(item) is not TracedNumber)
    return sum((item for item in items if type(item) is TracedNumber), plain)


def math_hooks():
    names = {name: name for name in FUNCTIONS if name in ORIGINALS and name not in ("log", "floor", "ceil", "trunc")}
    names.update(fabs="absolute", pow="power", atan="arctan", atan2="arctan2")
    table = [(math, name, _derived(name, function)) for name, function in names.items()]
    table += [(math, name, _of_the_plain_number(name)) for name in ("isfinite", "isnan", "isinf")]
    return table + [(math, "log", _log), (math, "fsum", _fsum)]


def released(value):
    """A value with all that is traced in it read, in order, inside lists, tuples, sets and dictionaries."""
    kind = type(value)
    if getattr(kind, "is_traced", False):
        return value.read()
    if kind is list or kind is tuple:
        return kind(released(item) for item in value)
    if isinstance(value, dict):
        return {released(key): released(item) for key, item in value.items()} if kind is dict else _in_place(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*[released(item) for item in value])
    if isinstance(value, (list, tuple)):
        return [released(item) for item in value]
    if kind is set or kind is frozenset:
        return kind(released(item) for item in value)
    return value


def _in_place(mapping):
    return {released(key): released(item) for key, item in mapping.items()}


def json_hooks():
    iterencode = json.JSONEncoder.iterencode
    return [
        (json.JSONEncoder, "iterencode", lambda self, o, _one_shot=False: iterencode(self, listed(o), _one_shot)),
    ]


def listed(value):
    """released(), where something is traced; a traced array in it is for the program's own `default` to convert."""
    return released(value) if has_traced(value) else value


def has_traced(value):
    kind = type(value)
    if getattr(kind, "is_traced", False):
        return True
    if isinstance(value, dict):
        return any(has_traced(key) or has_traced(item) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return any(has_traced(item) for item in value)
    return False


def traced_in(value):
    """All that is traced in nested lists and not read yet, in order, each once."""
    found, seen = [], set()

    def visit(value):
        kind = type(value)
        if getattr(kind, "is_traced", False):
            if id(value) not in seen and not value.is_known():
                seen.add(id(value))
                found.append(value)
        elif kind is list or kind is tuple:
            for item in value:
                visit(item)

    visit(value)
    return found


def read_together(values):
    """Reads traced numbers and arrays at once; afterwards each is known."""
    forms = [form for value in values for form in value.forms()]
    drawn = active().read("value", forms, (len(forms),), [form.value() for form in forms])
    for value in values:
        count = len(value.forms())
        value.learn(drawn[:count])
        drawn = drawn[count:]


def array_hooks():
    """np.array([z, w]) reads once, as an array, and not number by number."""
    import numpy as np

    def hooked(original):
        def call(*args, **kwargs):
            if active() is not None and args and type(args[0]) in (list, tuple) and has_traced(args[0]):
                traced = traced_in(args[0])
                if traced:
                    read_together(traced)
                return original(released(args[0]), *args[1:], **kwargs)
            return original(*args, **kwargs)

        call.__name__ = original.__name__
        return call

    return [(np, name, hooked(getattr(np, name))) for name in ("array", "asarray", "asanyarray")]


class _DecimalType(type):
    """Numbers from before the hooks are instances too, and what is traced is read."""

    def __call__(cls, value="0", *context, **options):
        return OriginalDecimal(released(value), *context, **options)

    def __instancecheck__(cls, instance):
        return isinstance(instance, OriginalDecimal)

    def __subclasscheck__(cls, kind):
        return issubclass(kind, OriginalDecimal)


OriginalDecimal = decimal.Decimal


class TracedDecimal(OriginalDecimal, metaclass=_DecimalType):
    @classmethod
    def from_float(cls, value):
        return OriginalDecimal.from_float(released(value))


def decimal_hooks():
    """decimal.Decimal takes no traced number, since that is no float."""
    return [(decimal, "Decimal", TracedDecimal)]


def pandas_hooks():
    """A Series or a column keeps plain arrays alone: what is traced is read when it is made into one."""
    from pandas.core import construction

    original = construction.sanitize_array

    def sanitize_array(data, *args, **kwargs):
        return original(released(data), *args, **kwargs)

    return [(construction, "sanitize_array", sanitize_array)]
