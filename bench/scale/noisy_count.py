"""Counts the ones of a dataset with Laplace noise of the scale that is its argument. Each dataset is counted once."""
import json
import random
import sys

rate = 1 / float(sys.argv[1])
print(json.dumps({"dpcheck": 1, "order": True, "references": True}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if "datasets" in request:
        counts = [sum(rows) for rows in request["datasets"]]
    draw = random.expovariate
    outputs = [counts[side] + draw(rate) - draw(rate) for side in request["order"]]
    print(json.dumps({"id": request["id"], "outputs": outputs}), flush=True)
