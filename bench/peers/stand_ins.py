"""Stand-ins for what a copy of DP-Sniper or StatDP imports and this machine may lack. They change no result."""
import sys
import types


def murmur_hash(text, seed=0):
    """MurmurHash3, 32 bits, signed (Appleby 2011): the hash of RAPPOR's Bloom filter."""
    data, length, mask = text.encode(), len(text.encode()), 0xFFFFFFFF
    rotated = lambda word, by: (word << by | word >> 32 - by) & mask
    mixed = lambda word: rotated(word * 0xCC9E2D51 & mask, 15) * 0x1B873593 & mask
    state, whole = seed, length - length % 4
    for at in range(0, whole, 4):
        state ^= mixed(int.from_bytes(data[at : at + 4], "little"))
        state = (rotated(state, 13) * 5 + 0xE6546B64) & mask
    state ^= mixed(int.from_bytes(data[whole:], "little"))
    state ^= length
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        state = (state ^ state >> shift) * factor & mask
    return state - (state >> 31 << 32)


class SummaryWriter:
    """Writes no TensorBoard logs."""

    def __init__(self, *_arguments, **_named):
        pass

    def __getattr__(self, _name):
        return lambda *_arguments, **_named: None


def stand_in(name, **members):
    """Puts a module in the place of one that cannot be imported."""
    try:
        __import__(name)
    except ImportError:
        module = types.ModuleType(name)
        for member, value in members.items():
            setattr(module, member, value)
        sys.modules[name] = module


def put_stand_ins():
    import numpy

    # numpy 1.24 has removed this name.
    if "bool" not in numpy.__dict__:
        numpy.bool = bool
    stand_in("mmh3", hash=murmur_hash)
    stand_in("torch.utils.tensorboard", SummaryWriter=SummaryWriter)
