"""Times scikit-learn's lbfgs on a matrix that bench/papers/erm/main.ts wrote.

Usage: python3 sklearn_speed.py FILE ROWS COLUMNS LAMBDA RUNS
FILE holds rows*columns features and then rows labels, little-endian doubles. Prints one JSON object:
the least processor seconds of RUNS fits, steps, and the norm of the gradient of the mean objective.
"""
import json
import sys
import time

import numpy as np
from scipy.sparse import csr_matrix

try:
    from sklearn.linear_model import LogisticRegression
except ImportError:
    print(json.dumps({"missing": "scikit-learn"}))
    sys.exit(0)
import warnings

import sklearn

warnings.filterwarnings("ignore")
path, rows, columns, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[5])
lam = float(sys.argv[4])
block = np.fromfile(path, dtype="<f8")
dense, labels = block[: rows * columns].reshape(rows, columns), block[rows * columns :]


def timed(data, max_iter):
    best, model = float("inf"), None
    for _ in range(runs):
        model = LogisticRegression(
            C=1 / (rows * lam), fit_intercept=False, solver="lbfgs", max_iter=max_iter
        )
        start = time.process_time()
        model.fit(data, labels)
        best = min(best, time.process_time() - start)
    weights = model.coef_[0]
    margins = labels * (dense @ weights)
    gradient = -(labels / (1 + np.exp(margins))) @ dense / rows + lam * weights
    return {
        "seconds": best,
        "iterations": int(model.n_iter_[0]),
        "gradientNorm": float(np.linalg.norm(gradient)),
    }


print(
    json.dumps(
        {
            "version": sklearn.__version__,
            "dense": timed(dense, 10000),
            "sparse": timed(csr_matrix(dense), 10000),
            "dense, 100 steps at most": timed(dense, 100),
        }
    )
)
