"""audit_training: one training run that is audited by its canaries."""

import csv
import math
import os
import random
import tempfile

from .private import command, option_words, refutes, started


def audit_training(train, canaries, score, **claim):
    """Trains once on a random half of the canaries, and raises AssertionError when the scores of all refute the claim.

    train(included) trains as always, with these canaries among the data, by Opacus, JAX or anything else, and returns the model;
    score(model, canary) is a number, larger for one that was seen, such as minus its loss. claim is that of dpcheck canaries: epsilon=8,
    delta=1e-5 (or mu, rho), alpha, seed. Each canary is in with probability 1/2 (Steinke, Nasr, Jagielski 2023), by the system's randomness. Returns
    the report's text. RuntimeError: the audit could not be made.
    """
    __tracebackhide__ = True
    draw = random.SystemRandom()
    canaries = list(canaries)
    included = [draw.random() < 0.5 for _ in canaries]
    model = train([canary for canary, is_in in zip(canaries, included) if is_in])
    scores = [float(score(model, canary)) for canary in canaries]
    if any(math.isnan(each) for each in scores):
        raise RuntimeError("audit_training: score must be a number, and no NaN")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "canaries.csv")
        with open(path, "w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["included", "score"])
            rows.writerows((int(is_in), repr(each)) for is_in, each in zip(included, scores))
        run = started(command() + ["canaries", path, *option_words(claim)])
        text = run.communicate()[0]
    if refutes(run, text):
        raise AssertionError(text)
    if run.returncode not in (0, 4):
        raise RuntimeError(text)
    return text
