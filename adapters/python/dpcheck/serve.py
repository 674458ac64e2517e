"""The subject protocol of dpcheck, spoken for a function of rows."""

import json
import os
import random
import struct
import sys


def serve(f, width=None):
    """Answers dpcheck with outputs of f(rows) until the input ends.

    Call it at the end of a program, and audit that: dpcheck audit --exec "python3 program.py" ...
    What f prints goes to standard error. An exception of f is an output: its class and message. NumPy arrays and numbers
    are sent as lists and numbers. With width=w, f returns w doubles each time, and they are sent as they are in memory,
    which is faster; an exception then ends the program.
    """
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    answer_lines(f, sys.stdin.buffer, answers, width)


def answer_lines(f, requests, answers, width=None):
    """Reads requests, an object a line, and writes the greeting and the answers."""
    greeting = {"dpcheck": 1, "order": True, "references": True, "seeded": True, "records": True}
    datasets = None
    if width is not None:
        greeting.update(binary="f64", width=width)
    write_line(answers, greeting)
    with SeedWatch():
        for line in requests:
            request = json.loads(line)
            # A request without datasets is about those of the one before.
            datasets = request.get("datasets", datasets)
            if "record" in request:
                from .recording.answers import recorded_line

                answers.write(recorded_line(f, request, datasets, plain).encode() + b"\n")
                answers.flush()
                continue
            output = seeded(f, request["seed"]) if "seed" in request else f
            if width is not None:
                outputs = (output(datasets[side]) for side in request["order"])
                answers.write(b"".join(doubles(values, width) for values in outputs))
                answers.flush()
                continue
            outputs, errors = [], {}
            for place, side in enumerate(request["order"]):
                try:
                    outputs.append(plain(output(datasets[side])))
                except Exception as error:
                    outputs.append(None)
                    errors[str(place)] = "%s: %s" % (type(error).__name__, error)
            answer = {"id": request["id"], "outputs": outputs}
            write_line(answers, {**answer, "errors": errors} if errors else answer)


def seeded(f, seed):
    """f with all randomness from a seed."""
    from .recording.answers import seeded_output

    return lambda dataset: seeded_output(f, dataset, seed)


def write_line(stream, value):
    stream.write(json.dumps(value).encode() + b"\n")
    stream.flush()


def plain(output):
    """An output as values that JSON has: NumPy's arrays and numbers know how, also inside lists and records."""
    if hasattr(output, "tolist"):
        return output.tolist()
    if isinstance(output, (list, tuple)):
        return [plain(item) for item in output]
    if isinstance(output, (set, frozenset)):
        return sorted((plain(item) for item in output), key=repr)
    if isinstance(output, dict):
        return {str(key): plain(value) for key, value in output.items()}
    return output


def doubles(output, width):
    """The bytes of `width` little-endian doubles."""
    flat = output.ravel().tolist() if hasattr(output, "ravel") else plain(output)
    values = flat if isinstance(flat, list) else [flat]
    if len(values) != width:
        raise ValueError("serve(width=%d): f returned %d numbers" % (width, len(values)))
    return struct.pack("<%dd" % width, *values)


class SeedWatch:
    """Says once on standard error when a generator is given a fixed seed while f runs: its noise is then known."""

    def __enter__(self):
        self.places = [(random, "seed")]
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            self.places += [(numpy.random, "seed"), (numpy.random, "default_rng")]
        self.originals = [getattr(module, name) for module, name in self.places]
        for (module, name), original in zip(self.places, self.originals):
            setattr(module, name, self.watched(module.__name__ + "." + name, original))
        return self

    def __exit__(self, *_):
        for (module, name), original in zip(self.places, self.originals):
            setattr(module, name, original)

    def watched(self, name, original):
        told = []

        def call(*args, **kwargs):
            seeds = [*args, *kwargs.values()]
            if any(isinstance(seed, int) for seed in seeds) and not told:
                told.append(True)
                print("dpcheck: %s is called with a fixed seed for an output" % name, file=sys.stderr)
            return original(*args, **kwargs)

        return call
