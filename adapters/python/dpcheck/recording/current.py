"""The tape that is being written, if any."""


class Current:
    tape = None


current = Current()


def active():
    """The tape to write to: none while nothing is recorded, or while a declared primitive computes its own output."""
    tape = current.tape
    return tape if tape is not None and not tape.paused else None
