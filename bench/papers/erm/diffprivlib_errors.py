"""Test errors of diffprivlib's logistic regression on rows that bench/papers/erm/main.ts wrote.

Usage: python3 diffprivlib_errors.py FILE TRAIN TEST COLUMNS SEEDS TRIALS
FILE holds (TRAIN + TEST)*COLUMNS features of rows no longer than 1, then as many labels as rows,
little-endian doubles. TRIALS is JSON: a list of {"epsilon", "lambda"}; lambda null means the defaults
of the library (C = 1, an intercept of its own, 100 steps at most). Prints one JSON object: for every
trial the errors by seed.
"""
import json
import sys
import warnings

import numpy as np

try:
    import diffprivlib
    from diffprivlib.models import LogisticRegression
except ImportError as error:
    print(json.dumps({"missing": str(error)}))
    sys.exit(0)
warnings.filterwarnings("ignore")
path, (train, test, columns, seeds) = sys.argv[1], map(int, sys.argv[2:6])
block = np.fromfile(path, dtype="<f8")
rows = block[: (train + test) * columns].reshape(train + test, columns)
labels = block[(train + test) * columns :]


def error(trial, seed):
    lam = trial["lambda"]
    options = (
        {} if lam is None else {"C": 1 / (train * lam), "fit_intercept": False, "max_iter": 10000}
    )
    model = LogisticRegression(
        epsilon=trial["epsilon"], data_norm=1.0, random_state=seed, **options
    )
    model.fit(rows[:train], labels[:train])
    return 1 - model.score(rows[train:], labels[train:])


trials = json.loads(sys.argv[6])
print(
    json.dumps(
        {
            "version": diffprivlib.__version__,
            "errors": [[error(trial, seed) for seed in range(seeds)] for trial in trials],
        }
    )
)
