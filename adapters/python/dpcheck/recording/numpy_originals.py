"""NumPy's own generators, kept from before the hooks."""

import numpy as np

Generator = np.random.Generator
RandomState = np.random.RandomState
default_rng = np.random._generator.default_rng
global_state = np.random.mtrand._rand


def original_generator(kind, seed):
    return Generator(np.random.PCG64(seed)) if kind == "Generator" else RandomState(np.random.MT19937(seed))
