"""Declarations for public libraries: mechanisms whose own samplers cannot be followed."""

import sys

from .primitives import not_followed, primitive

ROUNDED = {"value": "value", "sensitivity": "self.sensitivity", "epsilon": "self.epsilon"}
SELECTION = {
    "value": lambda arguments: list(arguments["self"].utility),
    "sensitivity": "self.sensitivity",
    "distance": "linf",
    "epsilon": "self.epsilon",
}
CATEGORY = {"value": "value", "sensitivity": 1, "distance": "hamming", "epsilon": "self.epsilon"}

# Library -> (versions, {module: {class: declaration of its method `randomise`}}, {module: classes not followed}).
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
        # The noise is part of a function or a matrix from which the output is computed: no read shows what it covers.
        {"diffprivlib.mechanisms": ("Vector", "Bingham")},
    ),
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
        for module, classes in unfollowed.items():
            for kind in classes:
                table += _hook(name, module, kind, not_followed("%s.%s" % (name, kind)))
    return table


def _hook(name, module, kind, decorator):
    owner = getattr(sys.modules.get(module), kind, None)
    method = vars(owner).get("randomise") if owner is not None else None
    return [(owner, "randomise", decorator(method))] if method is not None else []
