import { assert, assertAlmostEquals } from "@std/assert";
import {
  pureRenyi,
  type RenyiCurve,
  renyiEpsilon,
} from "../../../../lib/dp/accounting/composition/renyi.ts";
import {
  meanRuns,
  tunedRenyi,
  type TuningRuns,
} from "../../../../lib/dp/accounting/composition/tuned_renyi.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** The generating function of a number of runs. */
function generating(runs: TuningRuns): (x: number) => number {
  if ("mean" in runs) return (x) => Math.exp(runs.mean * (x - 1));
  const { eta, gamma } = runs;
  return eta === 0
    ? (x) => Math.log1p(-(1 - gamma) * x) / Math.log(gamma)
    : (x) => Math.expm1(-eta * Math.log1p(-(1 - gamma) * x)) / Math.expm1(-eta * Math.log(gamma));
}

/** The law of the largest output of so many runs, and at the end of none. */
function largestOf(law: readonly number[], runs: TuningRuns): number[] {
  const at = generating(runs);
  let below = 0, before = at(0);
  return [
    ...law.map((mass) => {
      below = Math.min(1, below + mass);
      const now = at(below), own = now - before;
      before = now;
      return own;
    }),
    at(0),
  ];
}

function divergence(p: readonly number[], q: readonly number[], order: number): number {
  const sum = p.reduce(
    (sum, mass, i) => mass > 0 ? sum + mass ** order * q[i]! ** (1 - order) : sum,
    0,
  );
  return Math.log(sum) / (order - 1);
}

const LAWS: readonly TuningRuns[] = [
  { eta: 0, gamma: 0.05 },
  { eta: 1, gamma: 0.1 },
  { eta: 0, gamma: 0.001 },
  { eta: -0.5, gamma: 0.01 },
  { eta: 2, gamma: 0.3 },
  { mean: 3 },
  { mean: 20 },
  { mean: 0.5 },
];

// Mutants: η in place of 1 + η; the mean number of runs, ln γ, or the first divergence left out; δ of the Poisson law left out.
Deno.test("tunedRenyi() is at least the divergence of the best of random runs, exactly computed, and near it for some", () => {
  const source = new SeededSource(23), largest = LAWS.map(() => 0);
  for (let trial = 0; trial < 400; trial++) {
    // A rare best output, and a common one: the ratio of either is up to e^2, or for some e^12.
    const epsilon = (trial % 4 === 0 ? 12 : 2) * source.uniform();
    const rare = 10 ** (-5 * source.uniform());
    const up = Math.exp(epsilon * (2 * source.uniform() - 1));
    const best = Math.min(0.9, rare * up), least = 0.1 * source.uniform() ** 2;
    const p = [least * (1 - rare), (1 - least) * (1 - rare), rare];
    const q = [least * (1 - best), (1 - least) * (1 - best), best];
    const curve: RenyiCurve = (order) =>
      Math.max(divergence(p, q, order), divergence(q, p, order), 0);
    LAWS.forEach((runs, i) => {
      const tuned = tunedRenyi(curve, runs);
      const [left, right] = [largestOf(p, runs), largestOf(q, runs)];
      for (const order of [1.5, 2, 4, 16]) {
        const found = Math.max(divergence(left, right, order), divergence(right, left, order));
        const bound = tuned(order);
        assert(
          found <= bound * (1 + 1e-9) + 1e-12,
          `${JSON.stringify(runs)} ${order}: ${found} > ${bound}`,
        );
        largest[i] = Math.max(largest[i]!, found / bound);
      }
    });
  }
  for (const [i, share] of largest.entries()) {
    assert(share > 0.2, `${JSON.stringify(LAWS[i])}: ${share}`);
  }
});

Deno.test("tunedRenyi() of pure runs comes to (2 + η)·ε at high orders", () => {
  for (const eta of [-0.5, 0, 1]) {
    const curve = pureRenyi({ epsilon: 0.3 });
    const epsilon = renyiEpsilon(tunedRenyi(curve, { eta, gamma: 1e-4 }), { delta: 1e-300 });
    assert(epsilon >= 0.3 * (2 + eta) && epsilon < 0.3 * (2 + eta) * 1.1, `${eta}: ${epsilon}`);
  }
});

Deno.test("meanRuns() is the mean of the law", () => {
  for (const runs of LAWS) {
    const at = generating(runs), step = 1e-7;
    assertAlmostEquals((at(1) - at(1 - step)) / step / meanRuns(runs), 1, 1e-3);
  }
});
