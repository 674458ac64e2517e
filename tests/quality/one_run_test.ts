import { assert } from "@std/assert";
import { type Claim, gaussian } from "../../lib/core/mod.ts";
import { asserted } from "../../lib/core/relations/relation.ts";
import { auditCanaries } from "../../lib/judge/audit/one_run/audit_canaries.ts";
import type { Canary } from "../../lib/judge/audit/one_run/canary.ts";
import { logBinomialTail } from "../../lib/core/numeric/binomial_tail.ts";
import { normalTailQuantile } from "../../lib/core/numeric/normal_tail.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { LONG } from "../long.ts";

// Programs whose loss is known exactly. A bound above the truth has chance at most α; a test fails when as many or more have
// probability below 1e-4 at α. That is its own chance of a false alarm, once for its fixed seed.
const ALPHA = 0.05;
const RUNS = LONG ? 1000 : 25;
const SEED = 2301;

interface Truth {
  readonly name: string;
  readonly value: number;
  readonly claim?: Claim;
  readonly delta?: number;
  readonly canaries: number;
  readonly score: (included: boolean, source: SeededSource) => number;
}

const response = (epsilon: number, delta: number) => (included: boolean, source: SeededSource) => {
  if (source.uniform() < delta) return included ? 2 : -1;
  const told = source.uniform() < 1 / (1 + Math.exp(-epsilon));
  return told === included ? 1 : 0;
};

const normal = (mu: number) => (included: boolean, source: SeededSource) =>
  normalTailQuantile(source.uniform()) + (included ? mu : 0);

const truths: readonly Truth[] = [
  ...[0.5, 2, 5].map((value): Truth => ({
    name: `randomised response, ε = ${value}`,
    value,
    canaries: 500,
    score: response(value, 0),
  })),
  ...[1e-4, 1e-3].map((delta): Truth => ({
    name: `randomised response that tells all with probability δ = ${delta}, ε = 1`,
    value: 1,
    delta,
    canaries: 500,
    score: response(1, delta),
  })),
  ...[0.5, 2].map((value): Truth => ({
    name: `Gaussian scores, μ = ${value}`,
    value,
    claim: gaussian({ mu: value, relation: asserted }),
    canaries: 300,
    score: normal(value),
  })),
];

// Mutants: every rule tested at α; half as many canaries in the recursion; a δ that is not paid for.
for (const { name, value, claim, delta = 0, canaries, score } of truths) {
  Deno.test(`one-run bounds are above the truth no more often than α: ${name}`, () => {
    const source = new SeededSource(SEED).split(name);
    let above = 0, sum = 0;
    for (let run = 0; run < RUNS; run++) {
      const rows: Canary[] = Array.from({ length: canaries }, () => {
        const included = source.uniform() < 0.5;
        return { included, score: score(included, source) };
      });
      const options = claim === undefined ? { delta } : { claim };
      const { epsilonLowerBound } = auditCanaries(rows, { ...options, alpha: ALPHA, source });
      sum += epsilonLowerBound;
      if (epsilonLowerBound > value) above++;
    }
    if (LONG) console.log(`${name}: ${above} of ${RUNS} above, mean bound ${sum / RUNS}`);
    assert(logBinomialTail(above, RUNS, ALPHA) >= Math.log(1e-4), `${above} of ${RUNS} above`);
    assert(sum > 0, "nothing was shown");
  });
}
