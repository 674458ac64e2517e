"""The generators of torch: seeded where outputs are. Its functions of noise are followed (torch_tensors); what draws from a generator otherwise is not."""

import sys


def torch_module():
    """torch, where the program has loaded it."""
    torch = sys.modules.get("torch")
    return torch if hasattr(torch, "get_rng_state") and hasattr(torch, "Generator") else None


def hooks():
    """Functions of noise, and those by which noise of other sources becomes a tensor."""
    from . import torch_tensors
    from .current import active
    from .math_hooks import has_traced, released

    torch = torch_module()

    def taking(original):
        def call(data, *args, **kwargs):
            if active() is not None and has_traced(data):
                if type(data).__name__ in ("TracedArray", "TracedNumber"):
                    return torch_tensors.wrapped(data, kwargs.get("dtype") or torch.get_default_dtype())
                data = released(data)
            return original(data, *args, **kwargs)

        return call

    return torch_tensors.hooks() + [(torch, name, taking(getattr(torch, name))) for name in ("tensor", "as_tensor", "from_numpy")]


class SeededTorch:
    """torch's generator with the state of a seed, and those that the program holds; put back afterwards."""

    def __init__(self, torch, seed):
        self.torch = torch
        self.seed = seed
        self.kept = []
        self.keep(torch.default_generator)

    def keep(self, generator):
        before = generator.get_state()
        generator.manual_seed((self.seed + 7919 * len(self.kept)) % 2**32)
        self.kept.append((generator, before, generator.get_state()))

    def put_back(self):
        """Tells if noise was drawn meanwhile."""
        drawn = False
        for generator, before, seeded in self.kept:
            drawn = drawn or not self.torch.equal(generator.get_state(), seeded)
            generator.set_state(before)
        return drawn


def is_generator(value):
    torch = torch_module()
    return torch is not None and isinstance(value, torch.Generator)
