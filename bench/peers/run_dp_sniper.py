"""Runs an experiment of a copy of DP-Sniper as it is, and prints its bound, draws and seconds as one line of JSON.

Usage: run_dp_sniper.py PATH EXPERIMENT PROCESSES FOLDER
"""
import glob
import json
import os
import resource
import sys
import time

PATH, EXPERIMENT, PROCESSES, FOLDER = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
sys.path.insert(0, PATH)

from stand_ins import put_stand_ins

put_stand_ins()

from dpsniper.mechanisms.abstract import Mechanism

# Each process writes down how many outputs it has drawn. It imports this file anew.
drawn = 0
depth = 0


def counted(sample):
    def m(self, a, n_samples=1):
        global drawn, depth
        depth += 1
        try:
            # Mechanisms that are made of others draw one output where these draw one each.
            if depth == 1:
                drawn += n_samples
                with open(os.path.join(FOLDER, f"drawn-{os.getpid()}"), "w") as file:
                    file.write(str(drawn))
            return sample(self, a, n_samples)
        finally:
            depth -= 1

    return m


def count_draws(subclass, **_named):
    if "m" in subclass.__dict__:
        subclass.m = counted(subclass.m)


Mechanism.__init_subclass__ = classmethod(count_draws)

from dpsniper.experiments import exp_default, exp_floating_point
from dpsniper.experiments.experiment_runner import ExperimentRunner
from dpsniper.search.ddconfig import DDConfig
from dpsniper.utils.torch import torch_initialize


class OneExperiment(ExperimentRunner):
    """A series of which one experiment is run."""

    def run_all(self, n_processes, sequential=True):
        self.experiments = [own for own in self.experiments if own.experiment_name == EXPERIMENT]
        super().run_all(n_processes, sequential)


def main():
    exp_default.ExperimentRunner = exp_floating_point.ExperimentRunner = OneExperiment
    # As their command line does it.
    torch_initialize(8, "cpu")
    config = DDConfig(n_processes=PROCESSES)
    begun = time.perf_counter()
    if EXPERIMENT == "floating_point":
        exp_floating_point.run_exp_floating_point(FOLDER, config)
    elif EXPERIMENT == "floating_fixed":
        exp_floating_point.run_exp_floating_fixed(FOLDER, config)
    else:
        exp_default.run_exp_default("series", False, FOLDER, config)
    wall = time.perf_counter() - begun
    data = {}
    for file in glob.glob(os.path.join(FOLDER, "logs", "*_data.log")):
        for line in open(file):
            data.update(json.loads(line))
    used = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({
        "bound": data.get("eps_lcb"),
        "draws": sum(int(open(file).read()) for file in glob.glob(os.path.join(FOLDER, "drawn-*"))),
        "seconds": data["time_dd_search"] + data["time_final_estimate_eps"] if "eps_lcb" in data else wall,
        "cpuSeconds": sum(of.ru_utime + of.ru_stime for of in used),
    }))


if __name__ == "__main__":
    main()
