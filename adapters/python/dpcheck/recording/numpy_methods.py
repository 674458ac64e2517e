"""Methods of NumPy's generators, old and new, as they work in a recording."""

import math
from functools import wraps

import numpy as np

from . import draws
from .array_functions import values_of
from .current import active
from .forms import Form
from .places import here
from .python_sources import OneForAll
from .tape import standard_value
from .traced_array import TracedArray, inner, is_traced, outer, read_objects
from .traced_number import TracedNumber


def shape_of(size, *parameters):
    """The shape of a draw; None for one number."""
    if size is not None:
        size = values_of(size)
        return (int(size),) if np.ndim(size) == 0 else tuple(int(n) for n in size)
    shape = np.broadcast_shapes(*[np.shape(inner(parameter)) for parameter in parameters]) if parameters else ()
    return shape or None


def each(shape, one, *parameters):
    """An array of one(...) for each entry of parameters that are broadcast to the shape."""
    columns = [np.broadcast_to(np.asarray(inner(parameter)), shape).ravel().tolist() for parameter in parameters]
    objects = np.empty(math.prod(shape), object)
    for index, values in enumerate(zip(*columns)):
        objects[index] = one(*values)
    return objects.reshape(shape)


def noise(tape, law, loc, scale, size):
    if size is None and type(loc) in PLAIN and type(scale) in PLAIN:
        return draws.noise(tape, law, loc, scale)
    scale = values_of(scale)
    shape = shape_of(size, loc, scale)
    if shape is None:
        loc = loc[()] if isinstance(loc, np.ndarray) and not is_traced(loc) else loc
        return draws.noise(tape, law, loc, float(scale))
    if np.any(np.asarray(scale) < 0):
        raise ValueError("scale < 0")
    place = here(2)
    rng, settled = tape.random, law != "uniform"

    def one(scale):
        return Form(0.0, {tape.atom(law, standard_value(law, rng), place, settled=settled): float(scale)})

    objects = each(shape, one, scale)
    loc = inner(loc)
    if isinstance(loc, np.ndarray) and loc.dtype == object or np.any(np.asarray(loc) != 0):
        objects = np.add(objects, loc)
        if not isinstance(objects, np.ndarray):
            objects = inner(objects)
        if tape.meet and settled and np.asarray(loc).dtype != object:
            return read_objects(objects)
    return TracedArray(objects, place)


PLAIN = (int, float, TracedNumber, np.float64, np.int64)


def unpacked(result, shape):
    return result[()] if shape is None else result


def followed(method):
    """A method that draws on the tape; where none is written, the ordinary one."""
    name = method.__name__

    @wraps(method)
    def call(self, *args, **kwargs):
        tape = active()
        if tape is None:
            return getattr(self._plain(), name)(*args, **kwargs)
        return method(self, tape, *args, **kwargs)

    return call


def of_other_law(name):
    """A method whose law has no name in a recording but its own: NumPy draws, and each number is an atom or a draw."""

    def call(self, *args, **kwargs):
        args = [values_of(value) for value in args]
        kwargs = {key: values_of(value) for key, value in kwargs.items()}
        result = getattr(self._plain(), name)(*args, **kwargs)
        tape = active()
        if tape is None or result is None:
            return result
        size = kwargs.pop("size", None)
        known = [*args, *kwargs.values()]
        of = [
            float(value)
            for value in known[: None if size is not None else 4]
            if np.ndim(value) == 0 and _is_number(value)
        ]
        drawn = np.asarray(result)
        if drawn.dtype.kind == "f":
            objects = each(drawn.shape, lambda z: inner(draws.derived_noise(tape, name, of, z))[()], drawn)
            return outer(objects[()] if drawn.ndim == 0 else objects)
        flat = [draws.other(tape, name, of, item) for item in drawn.ravel().tolist()]
        return np.array(flat, drawn.dtype).reshape(drawn.shape) if drawn.ndim else type(result)(flat[0])

    call.__name__ = name
    return call


def _is_number(value):
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


class FollowedMethods(OneForAll):
    """Methods that Generator and RandomState share."""

    @followed
    def laplace(self, tape, loc=0.0, scale=1.0, size=None):
        return noise(tape, "laplace", loc, scale, size)

    @followed
    def normal(self, tape, loc=0.0, scale=1.0, size=None):
        return noise(tape, "normal", loc, scale, size)

    @followed
    def standard_normal(self, tape, size=None, dtype=None, out=None):
        return noise(tape, "normal", 0.0, 1.0, size)

    @followed
    def exponential(self, tape, scale=1.0, size=None):
        return noise(tape, "exponential", 0.0, scale, size)

    @followed
    def standard_exponential(self, tape, size=None, dtype=None, method=None, out=None):
        return noise(tape, "exponential", 0.0, 1.0, size)

    @followed
    def gumbel(self, tape, loc=0.0, scale=1.0, size=None):
        return noise(tape, "gumbel", loc, scale, size)

    @followed
    def logistic(self, tape, loc=0.0, scale=1.0, size=None):
        return noise(tape, "logistic", loc, scale, size)

    @followed
    def random(self, tape, size=None, dtype=None, out=None):
        return noise(tape, "uniform", 0.0, 1.0, size)

    @followed
    def uniform(self, tape, low=0.0, high=1.0, size=None):
        low = values_of(low)
        width = values_of(high) - low
        return noise(tape, "uniform", 0.0, 1.0, shape_of(size, low, high)) * width + low

    @followed
    def lognormal(self, tape, mean=0.0, sigma=1.0, size=None):
        return np.exp(noise(tape, "normal", mean, sigma, size))

    @followed
    def gamma(self, tape, shape, scale=1.0, size=None):
        shape, scale = values_of(shape), values_of(scale)
        drawn = self._plain().gamma(shape, 1.0, shape_of(size, shape, scale))
        return self._gammas(tape, shape, drawn) * scale

    @followed
    def standard_gamma(self, tape, shape, size=None, dtype=None, out=None):
        shape = values_of(shape)
        return self._gammas(tape, shape, self._plain().gamma(shape, 1.0, size))

    @followed
    def chisquare(self, tape, df, size=None):
        shape = np.asarray(values_of(df)) / 2
        return self._gammas(tape, shape, self._plain().gamma(shape, 1.0, size)) * 2

    def _gammas(self, tape, shapes, drawn):
        one = lambda shape, z: inner(draws.derived_noise(tape, "gamma", [float(shape)], z))[()]  # noqa: E731
        objects = each(np.shape(drawn), one, shapes, drawn)
        return outer(objects[()] if objects.ndim == 0 else objects)

    @followed
    def multivariate_normal(self, tape, mean, cov, size=None, *_, **__):
        mean, cov = np.asarray(values_of(mean), float), np.asarray(values_of(cov), float)
        _, s, v = np.linalg.svd(cov)
        shape = (shape_of(size) or ()) + mean.shape
        z = noise(tape, "normal", 0.0, 1.0, shape)
        return z @ (np.sqrt(s)[:, None] * v) + mean

    @followed
    def geometric(self, tape, p, size=None):
        p = values_of(p)
        shape = shape_of(size, p)
        if shape is None:
            return draws.geometric(tape, p)
        place = here(2)
        return TracedArray(each(shape, lambda p: draws.geometric(tape, p).form, p), place)

    @followed
    def binomial(self, tape, n, p, size=None):
        n, p = values_of(n), values_of(p)
        shape = shape_of(size, n, p)
        if shape is None:
            return draws.binomial(tape, n, p)
        return each(shape, lambda n, p: draws.binomial(tape, n, p), n, p).astype(np.int64)

    @followed
    def multinomial(self, tape, n, pvals, size=None):
        """Counts one after the other, each binomial of what is left."""
        pvals = np.asarray(values_of(pvals), float)

        def one():
            left, chance, counts = int(values_of(n)), 1.0, []
            for p in pvals[:-1]:
                counts.append(draws.binomial(tape, left, min(1.0, p / chance) if chance > 0 else 0.0))
                left, chance = left - counts[-1], chance - p
            return [*counts, left]

        shape = shape_of(size) or ()
        return np.array([one() for _ in range(math.prod(shape))], np.int64).reshape(shape + (len(pvals),))

    @followed
    def choice(self, tape, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        a = values_of(a)
        items = None if np.ndim(a) == 0 else np.asarray(a)
        n = int(a) if items is None else items.shape[axis]
        if n < 1 and size != 0:
            raise ValueError("a must be a positive integer unless no samples are taken")
        shape = shape_of(size)
        count = 1 if shape is None else math.prod(shape)
        if p is not None:
            p = draws.chances_of(values_of(p))
            if len(p) != n:
                raise ValueError("a and p must have same size")
        if not replace:
            if count > n:
                raise ValueError("Cannot take a larger sample than population when replace is False")
            drawn = draws.subset(tape, n, count) if p is None else self._without_putting_back(tape, p, count)
        elif shape is None:
            drawn = [draws.uniform_choice(tape, n) if p is None else draws.choice(tape, p)]
        else:
            drawn = draws.uniform_choices(tape, n, count) if p is None else draws.choices(tape, p, count)
        indices = np.int64(drawn[0]) if shape is None else np.array(drawn, np.int64).reshape(shape)
        return indices if items is None else np.take(items, indices, axis=axis)

    def _without_putting_back(self, tape, chances, count):
        drawn, left = [], list(chances)
        for _ in range(count):
            drawn.append(draws.choice(tape, draws.chances_of(left)))
            left[drawn[-1]] = 0.0
        return drawn

    def _integers(self, tape, low, high, size, dtype):
        low, high = values_of(low), values_of(high)
        if high is None:
            low, high = 0, low
        shape = shape_of(size, low, high)
        if np.any(np.asarray(high) <= np.asarray(low)):
            raise ValueError("low >= high")
        if np.ndim(low) == 0 and np.ndim(high) == 0:
            low, n = int(low), int(high) - int(low)
            if shape is None:
                return low + draws.uniform_choice(tape, n)
            drawn = draws.uniform_choices(tape, n, math.prod(shape))
            return (np.array(drawn, np.int64) + low).reshape(shape).astype(dtype or np.int64)
        one = lambda low, high: int(low) + draws.uniform_choice(tape, int(high) - int(low))  # noqa: E731
        return each(shape, one, low, high).astype(dtype or np.int64)

    @followed
    def permutation(self, tape, x, axis=0):
        if np.ndim(inner(x)) == 0:
            return np.array(draws.permutation(tape, int(values_of(x))), np.int64)
        items = x if is_traced(x) else np.asarray(x)
        return np.take(items, draws.permutation(tape, items.shape[axis]), axis=axis)

    @followed
    def shuffle(self, tape, x, axis=0):
        order = draws.permutation(tape, len(x) if axis == 0 else x.shape[axis])
        x[:] = np.take(x, order, axis=axis) if isinstance(x, np.ndarray) else [x[index] for index in order]

    @followed
    def bytes(self, tape, length):
        return draws.bits(tape, 8 * length).to_bytes(length, "little")


for _name in (
    "beta", "dirichlet", "f", "hypergeometric", "logseries", "multivariate_hypergeometric", "negative_binomial",
    "noncentral_chisquare", "noncentral_f", "pareto", "poisson", "power", "rayleigh", "standard_cauchy", "standard_t",
    "triangular", "vonmises", "wald", "weibull", "zipf",
):  # fmt: skip
    setattr(FollowedMethods, _name, of_other_law(_name))
