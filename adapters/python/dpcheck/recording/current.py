"""The tape that is being written, if any."""


class Current:
    tape = None


current = Current()


def active():
    """The tape to write to: none while nothing is recorded, or while a declared primitive computes its own output."""
    tape = current.tape
    return tape if tape is not None and not tape.paused else None


# Seeds that the program gave to generators of its own, by the place in the run.
_seeds = {}
_MOST_SEEDS = 1000


def seeded(given):
    """Notes a seed of the program's own that is another one on another run: noise that the data decide is none."""
    tape = active()
    if tape is None or given is None:
        return
    place = tape.seeds
    tape.seeds += 1
    text = repr(given)
    if _seeds.setdefault(place, text) != text:
        tape.note("the program seeds its own generator, and not always with the same seed")
    if len(_seeds) > _MOST_SEEDS:
        _seeds.clear()
