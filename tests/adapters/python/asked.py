"""Asks a function as dpcheck asks a program: a request a line, an answer a line."""

import io
import json

from dpcheck.serve import answer_lines


def asked(f, *requests, datasets=None, width=None):
    """The answers of f to these requests; the first one carries the datasets."""
    lines = []
    for index, request in enumerate(requests):
        given = {"datasets": datasets} if index == 0 else {}
        lines.append(json.dumps({"id": index, **given, **request}).encode() + b"\n")
    answers = io.BytesIO()
    answer_lines(f, lines, answers, width)
    greeting, *rest = answers.getvalue().split(b"\n")[:-1]
    assert json.loads(greeting)["records"] and json.loads(greeting)["seeded"]
    return [json.loads(line) for line in rest]


class Recorded:
    """A recorded output of f on one dataset and, where there is a second, its replay on that."""

    def __init__(self, f, data, other=None, seed=1, **options):
        order = [0] if other is None else [0, 1]
        (self.answer,) = asked(f, {"record": True, "seed": seed, "order": order, **options}, datasets=[data, other])
        self.outputs = self.answer["outputs"]
        self.errors = self.answer.get("errors", {})
        self.runs = self.answer["recordings"]
        self.first, self.last = self.runs[0], self.runs[-1]

    def kinds(self, run=0):
        return [read["kind"] for read in self.runs[run]["reads"]]

    def forms(self, run=0):
        """All forms of all reads, one after the other."""
        return [form for read in self.runs[run]["reads"] for form in read["forms"]]

    def laws(self, run=0):
        return [atom["law"] for atom in self.runs[run]["atoms"]]


def value_of(form, atoms):
    """v + the sum of coefficients times atoms."""
    v, terms = form
    return v + sum(coefficient * atoms[index] for index, coefficient in terms)


def line_of(f, text):
    """The place of the line of f that contains a text, as a recording names it."""
    import inspect
    import os

    lines, start = inspect.getsourcelines(f)
    offset = next(index for index, line in enumerate(lines) if text in line)
    return "%s:%d" % (os.path.basename(inspect.getsourcefile(f)), start + offset)
