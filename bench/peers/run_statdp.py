"""Runs StatDP as DP-Sniper's authors run it, by a binary search for the largest ε that it rejects, and prints that, its draws and
its seconds as one line of JSON. The 200 million draws by which they verify the result are left out.

Usage: run_statdp.py PATH-OF-DP-SNIPER PATH-OF-STATDP EXPERIMENT PROCESSES
"""
import json
import os
import resource
import sys
import time

SNIPER, STATDP, EXPERIMENT, PROCESSES = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
sys.path[:0] = [STATDP, SNIPER]

from stand_ins import put_stand_ins

put_stand_ins()
# StatDP takes as many processes as there are cores.
os.cpu_count = lambda: PROCESSES

from statdpwrapper import my_generate_counterexample as detection
from statdpwrapper.experiments import mechanism_config as config
from statdpwrapper.experiments.base import n_samples_detector, p_value, precision
from statdpwrapper.experiments.binary_search import BinarySearch

drawn = 0


def counted(step, draws_of):
    def run(*arguments, **named):
        global drawn
        drawn += draws_of(*arguments)
        return step(*arguments, **named)

    return run


def main():
    # Each of their steps draws so many outputs on both datasets.
    detection.select_event = counted(
        detection.select_event, lambda algorithm, inputs, epsilon, iterations: 2 * iterations * len(inputs)
    )
    detection.hypothesis_test = counted(
        detection.hypothesis_test,
        lambda algorithm, left, right, named, event, epsilon, iterations: 2 * iterations,
    )
    begun = time.perf_counter()
    search = BinarySearch(
        config.statdp_mechanism_map[EXPERIMENT],
        config.statdp_num_inputs_map[EXPERIMENT],
        config.statdp_sensitivity_map[EXPERIMENT],
        n_samples_detector,
        config.statdp_arguments_map[EXPERIMENT],
        config.statdp_postprocessing_map[EXPERIMENT],
    )
    bound = search.find(p_value, precision)[0]
    seconds = time.perf_counter() - begun
    used = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({
        "bound": bound,
        "draws": drawn,
        "seconds": seconds,
        "cpuSeconds": sum(of.ru_utime + of.ru_stime for of in used),
    }))


if __name__ == "__main__":
    main()
