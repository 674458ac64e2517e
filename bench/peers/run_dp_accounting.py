"""Bounds ε of compositions by the loss distributions of Google's dp_accounting, as its authors' defaults have them: a grid of 1e-4, once
rounded up and once down. Prints a line of JSON a case: both bounds and the CPU seconds of both.

Usage: run_dp_accounting.py PATH-OF-PYTHON/DP_ACCOUNTING CASES-AS-JSON
"""
import json
import sys
import time

sys.path.insert(0, sys.argv[1])

from dp_accounting.pld import privacy_loss_distribution


def bound(case, is_upper):
    options = {"pessimistic_estimate": is_upper, "value_discretization_interval": 1e-4}
    if case["rate"] < 1:
        options["sampling_prob"] = case["rate"]
    make = {
        "gaussian": privacy_loss_distribution.from_gaussian_mechanism,
        "laplace": privacy_loss_distribution.from_laplace_mechanism,
    }[case["noise"]]
    return make(case["scale"], **options).self_compose(case["count"]).get_epsilon_for_delta(case["delta"])


for case in json.loads(sys.argv[2]):
    begun = time.process_time()
    lower, upper = bound(case, False), bound(case, True)
    seconds = time.process_time() - begun
    print(json.dumps({"lower": lower, "upper": upper, "cpuSeconds": seconds}), flush=True)
