"""Declared primitives: functions that are promised to be mechanisms; their outputs are frozen on replay."""

from .current import active
from functools import wraps

DISTANCES = ("l1", "l2", "linf", "hamming", "range")


def primitive(*, value, sensitivity, distance="l1", epsilon=None, delta=None, rho=None, sigma=None, monotonic=None, name=None):
    """Declares that a function is a mechanism: what its value is, how far neighbours may move it, what it then keeps.

    Each entry is the name of a parameter ("data", also "self.epsilon"), a number, or a function of the arguments, which
    it gets as a dictionary. distance says how values are compared: "l1", "l2", "linf", "hamming", or "range" for utilities of a choice,
    which loses by the largest change less the least; each may move by the sensitivity, and if they are monotonic, all in one direction.

        @primitive(value="total", sensitivity=1, epsilon="epsilon")
        def noisy(total, epsilon): ...

    A recording notes value and sensitivity of each call and gives the output of the first run again in a replay. Two
    datasets on which the values are further apart than the sensitivity refute the declaration.
    """
    if distance not in DISTANCES:
        raise ValueError(
            "Cannot declare a primitive: distance must be one of %s: current value is %r" % (DISTANCES, distance)
        )
    entries = {
        "given": value,
        "sensitivity": sensitivity,
        "epsilon": epsilon,
        "delta": delta,
        "rho": rho,
        "sigma": sigma,
        "monotonic": monotonic,
    }
    entries = {key: entry for key, entry in entries.items() if entry is not None}

    def declare(function):
        from inspect import signature as signature_of

        signature = signature_of(function)
        for key, entry in entries.items():
            if isinstance(entry, str) and entry.partition(".")[0] not in signature.parameters:
                raise ValueError(
                    "Cannot declare a primitive: %s must name a parameter of %s: current value is %r"
                    % ("value" if key == "given" else key, function.__name__, entry)
                )
        title = name or getattr(function, "__name__", "primitive")

        @wraps(function)
        def call(*args, **kwargs):
            tape = active()
            if tape is None:
                return function(*args, **kwargs)
            from copy import deepcopy

            from .math_hooks import released

            args, kwargs = released(args), released(kwargs)
            details = {"name": title, **promised(signature, entries, args, kwargs), "distance": distance}
            if tape.forced is not None and tape.kept is None:
                tape.not_discrete()
            tape.paused += 1
            try:
                output = function(*args, **kwargs)
            finally:
                tape.paused -= 1
            frozen = tape.read(
                "primitive", (), shape_of(details["given"]), deepcopy(output), told=shown(output), details=details
            )
            return deepcopy(frozen)

        call.is_primitive = True
        return call

    return declare


def perturbed_objective(name, *, scale, rows):
    """Declares a method that gives a function with noise in it, whose least point is then put out (Chaudhuri, Monteleoni, Sarwate 2011).

    The noise b is a vector of density proportional to exp(-|b| / scale), and b / rows is added to the gradient; both are functions of the
    arguments. A recording notes the density of the least point at 0, where it is least for b = -rows * gradient.
    """

    def declare(function):
        @wraps(function)
        def call(self, value):
            tape = active()
            if tape is None:
                return function(self, value)
            tape.paused += 1
            try:
                noisy = function(self, value)
            finally:
                tape.paused -= 1
            told = []

            @wraps(noisy)
            def objective(point, *rest):
                if active() is not None and not told:
                    told.append(True)
                    given = {"name": name, "given": [], "logDensity": log_density_at_0(value, noisy, point, rest, scale(self), rows(self))}
                    tape.read("primitive", (), (), [], told=[], details=given)
                return noisy(point, *rest)

            return objective

        return call

    return declare


def log_density_at_0(value, noisy, point, rest, scale, rows):
    """Of the least point of value(w) + b w / rows, up to a constant: the noise's, and the determinant of the curvature."""
    import numpy as np

    gradient = lambda function, w: np.array(function(w, *rest)[1], float)  # noqa: E731
    zero, step = np.zeros_like(point, dtype=float), 1e-4
    moved = [(zero + step * unit, zero - step * unit) for unit in np.eye(len(zero))]
    curvature = rows * np.array([(gradient(noisy, up) - gradient(noisy, down)) / (2 * step) for up, down in moved])
    return float(np.linalg.slogdet(curvature)[1] - np.linalg.norm(rows * gradient(value, zero)) / scale)


def not_followed(name):
    """Lets a function draw its noise unseen, and notes that it did."""

    def declare(function):
        @wraps(function)
        def call(*args, **kwargs):
            tape = active()
            if tape is None:
                return function(*args, **kwargs)
            tape.note("the noise of " + name)
            tape.paused += 1
            try:
                return function(*args, **kwargs)
            finally:
                tape.paused -= 1

        return call

    return declare


def promised(signature, entries, args, kwargs):
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    arguments = dict(bound.arguments)
    return {key: as_told(resolved(entry, arguments)) for key, entry in entries.items()}


def resolved(entry, arguments):
    if callable(entry):
        return entry(arguments)
    if not isinstance(entry, str):
        return entry
    name, *attributes = entry.split(".")
    value = arguments[name]
    for attribute in attributes:
        value = getattr(value, attribute)
    return value


def as_told(value):
    """Numbers and lists of numbers, as JSON has them; a category by its text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [as_told(item) for item in value]
    return value if isinstance(value, (int, float, str, type(None))) else repr(value)


def shape_of(given):
    shape = []
    while isinstance(given, list):
        shape.append(len(given))
        given = given[0] if given else None
    return tuple(shape)


def shown(output):
    """The output as the answer shows it: numbers, else nothing."""
    told = as_told(output)
    return told if isinstance(told, (int, float, list)) else []
