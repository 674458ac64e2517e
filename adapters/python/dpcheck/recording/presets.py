"""Declarations for public libraries: mechanisms whose own samplers cannot be followed."""

import math
import sys

from .primitives import not_followed, perturbed_objective, primitive

ROUNDED = {"value": "value", "sensitivity": "self.sensitivity", "epsilon": "self.epsilon"}
SELECTION = {
    "value": lambda arguments: list(arguments["self"].utility),
    "sensitivity": "self.sensitivity",
    "monotonic": "self.monotonic",
    "distance": "range",
    "epsilon": "self.epsilon",
}
# The same for functions of arguments, whose qualities may be a dictionary.
QUALITIES = {
    "value": lambda arguments: numbers_of(arguments["qualities"]),
    "sensitivity": "sensitivity",
    "distance": "range",
    "epsilon": "epsilon",
}
CATEGORY = {"value": "value", "sensitivity": 1, "distance": "hamming", "epsilon": "self.epsilon"}



def numbers_of(values):
    return [float(value) for value in (values.values() if isinstance(values, dict) else values)]


# Library -> (versions, {module: {class: declaration of its method `randomise`, or of Class.method}}, {module: classes not followed}).
PRESETS = {
    "diffprivlib": (
        ("0.6.",),
        {
            "diffprivlib.mechanisms": {
                # Uniforms are read by their signs and by rounding.
                "Geometric": ROUNDED,
                "GeometricTruncated": ROUNDED,
                "GeometricFolded": ROUNDED,
                "Staircase": ROUNDED,
                # Rejection loops.
                "LaplaceBoundedDomain": {**ROUNDED, "delta": "self.delta"},
                "LaplaceBoundedNoise": {**ROUNDED, "delta": "self.delta"},
                "GaussianDiscrete": {**ROUNDED, "delta": "self.delta", "distance": "l2"},
                # Random bits.
                "Snapping": ROUNDED,
                # Choices by loops over running sums.
                "Exponential": SELECTION,
                "PermuteAndFlip": SELECTION,
                "ExponentialCategorical": CATEGORY,
                "ExponentialHierarchical": CATEGORY,
            },
        },
        # The noise is part of a matrix from which the output is computed: no read shows what it covers.
        {"diffprivlib.mechanisms": ("Bingham",)},
    ),
    # private-pgm of 2025, whose package states no version, and its folder of mechanisms.
    "mbi": (
        ("",),
        {"mechanism": {"Mechanism.exponential_mechanism": QUALITIES, "Mechanism.permute_and_flip": QUALITIES}},
        {},
    ),
}


def scale_of_vector(mechanism):
    """Of the noise of diffprivlib's Vector, as its method `randomise` computes it."""
    change = mechanism.function_sensitivity * mechanism.data_sensitivity / mechanism.alpha
    epsilon = mechanism.epsilon - 2 * math.log1p(change)
    return 2 * mechanism.data_sensitivity / (epsilon if epsilon > 0 else mechanism.epsilon / 2)


# Library -> {module: {class: parts of a perturbed objective}}.
OBJECTIVES = {
    "diffprivlib": {"diffprivlib.mechanisms": {"Vector": {"scale": scale_of_vector, "rows": lambda mechanism: mechanism.n}}}
}


def loaded_presets():
    """Names of the libraries with presets that are loaded."""
    return tuple(name for name in PRESETS if _is_loaded(name))


def _is_loaded(name):
    module = sys.modules.get(name)
    return module is not None and str(getattr(module, "__version__", "")).startswith(PRESETS[name][0])


def hooks():
    table = []
    for name in loaded_presets():
        _, declared, unfollowed = PRESETS[name]
        for module, classes in declared.items():
            for kind, declaration in classes.items():
                table += _hook(name, module, kind, primitive(name="%s.%s" % (name, kind), **declaration))
        for module, classes in OBJECTIVES.get(name, {}).items():
            for kind, parts in classes.items():
                table += _hook(name, module, kind, perturbed_objective("%s.%s" % (name, kind), **parts))
        for module, classes in unfollowed.items():
            for kind in classes:
                table += _hook(name, module, kind, not_followed("%s.%s" % (name, kind)))
    return table


def _hook(name, module, kind, decorator):
    kind, _, method = kind.partition(".")
    method = method or "randomise"
    owner = getattr(sys.modules.get(module), kind, None)
    function = vars(owner).get(method) if owner is not None else None
    try:
        return [(owner, method, decorator(function))] if function is not None else []
    except ValueError:
        return []  # A class of this name with other parameters.
