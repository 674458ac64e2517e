"""`rvs` of scipy.stats: its distributions ask a generator of NumPy, a traced one while the hooks are in place."""

from functools import wraps

import numpy as np
import scipy.special
import scipy.stats
from scipy.stats import _distn_infrastructure as infrastructure

from . import numpy_sources
from .array_functions import values_of
from .current import active
from .traced_number import Traced


def _rvs(original):
    @wraps(original)
    def rvs(self, *args, **kwargs):
        if active() is None:
            return original(self, *args, **kwargs)
        return original(self, *args, **{**kwargs, "random_state": numpy_sources.STATE})

    return rvs


def _whole_number_rvs(distribution, one):
    """`rvs` of a distribution of counts: SciPy would turn its numbers to integers, which reads them."""
    original = type(distribution).rvs

    def rvs(self, *args, loc=0, size=1, random_state=None):
        tape = active()
        if tape is None:
            return original(self, *args, loc=loc, size=size, random_state=random_state)
        *shapes, loc = (*args, loc) if len(args) == 1 else args[:2]
        return one(numpy_sources.STATE, values_of(shapes[0]), None if size == 1 else size) + loc

    return rvs


def _difference(state, a, size):
    p = 1 - np.exp(-a)
    return state.geometric(p, size) - state.geometric(p, size)


def _laplace(q):
    return -np.sign(q - 0.5) * np.log(1 - 2 * np.abs(q - 0.5))


# Inverse distribution functions, written so that noise made of uniform numbers is followed.
INVERSES = {
    type(scipy.stats.laplace): _laplace,
    type(scipy.stats.expon): lambda q: -np.log(1 - q),
    type(scipy.stats.gumbel_r): lambda q: -np.log(-np.log(q)),
    type(scipy.stats.logistic): lambda q: np.log(q / (1 - q)),
    type(scipy.stats.norm): scipy.special.ndtri,
}


def _ppf(original):
    @wraps(original)
    def ppf(self, q, *args, **kwargs):
        inverse = INVERSES.get(type(self))
        if active() is None or inverse is None or not isinstance(q, Traced):
            return original(self, q, *args, **kwargs)
        width = {**dict(zip(("loc", "scale"), args)), **kwargs}
        return inverse(q) * width.get("scale", 1) + width.get("loc", 0)

    return ppf


def hooks():
    stats = scipy.stats
    classes = infrastructure.rv_generic, infrastructure.rv_continuous, infrastructure.rv_discrete
    table = [(kind, "rvs", _rvs(vars(kind)["rvs"])) for kind in classes if "rvs" in vars(kind)]
    table.append(
        (type(stats.geom), "rvs", _whole_number_rvs(stats.geom, lambda state, p, size: state.geometric(p, size)))
    )
    table.append((type(stats.dlaplace), "rvs", _whole_number_rvs(stats.dlaplace, _difference)))
    table.append((infrastructure.rv_continuous, "ppf", _ppf(infrastructure.rv_continuous.ppf)))
    # SciPy draws these by the inverse of their distribution functions.
    table.append(
        (type(stats.gumbel_r), "_rvs", lambda self, size=None, random_state=None: random_state.gumbel(0, 1, size))
    )
    table.append(
        (type(stats.gumbel_l), "_rvs", lambda self, size=None, random_state=None: -random_state.gumbel(0, 1, size))
    )
    return table
