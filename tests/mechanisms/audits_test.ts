import { assertEquals } from "@std/assert";
import type { AuditReport } from "../../lib/audit/report.ts";
import { audit } from "../../lib/audit/audit.ts";
import { mechanismSubject } from "../../lib/audit/subjects/mechanism_subject.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import { pairOf, replaceOne } from "../../lib/core/relation.ts";
import { classicalGaussian } from "../../lib/mechanisms/gaussian.ts";
import { mechanismNamed, mechanismNames } from "../../lib/mechanisms/registry.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";

/**
 * Audits are slow where the claim is ρ-zCDP; those two are held to their exact Rényi divergences in
 * laws_test.ts. The two-coin survey has an ε of its own.
 */
const audited = mechanismNames.filter((name) =>
  !["vector-gaussian", "discrete-gaussian", "two-coin-survey"].includes(name)
);
/** The chance that one audit refutes a true claim: 3.5e-3 for all of this file. */
const ALPHA = 1e-4;

interface Weakness {
  readonly epsilon: number;
  /** What is left of the noise: 0.85 unless 300,000 draws cannot tell that little. */
  readonly noise?: number;
  readonly left: readonly unknown[];
  readonly right: readonly unknown[];
}

const unit = { epsilon: 1, left: [0], right: [1] };
const whole = { epsilon: 1, left: [0], right: [5] };
const letter = { epsilon: 1, left: ["a"], right: ["b"] };
const alone = { epsilon: 2, left: [-2, -5, -5, -4], right: [-1, -4, -6, -5] };

/**
 * Where less noise shows. Sparse vector's loss lies in rare transcripts: with 15% less noise even the
 * best bets need twelve million draws, so it gets half of its noise, its numeric form 0.4, and the mean of unknown size, a quotient that hides both parts,
 * 0.6. Their 15% is caught by the exact check of laws_test.ts and by composition.
 */
const weakness: Readonly<Record<string, Weakness>> = {
  "randomised-response": { epsilon: 1, left: [true, true], right: [true, false] },
  "k-ary-randomised-response": letter,
  "symmetric-unary-encoding": letter,
  "optimised-unary-encoding": letter,
  "rappor": { epsilon: 1, left: [5], right: [1] },
  "keep-or-replace": whole,
  "mixed-noise": { epsilon: 1, left: [0], right: [3] },
  "laplace": unit,
  "vector-laplace": unit,
  "gaussian": { ...unit, epsilon: 0.5 },
  "geometric": whole,
  "truncated-geometric": whole,
  "discrete-laplace": whole,
  "staircase": unit,
  "snapping": unit,
  "exponential": alone,
  "base-2-exponential": alone,
  "noisy-max-gumbel": alone,
  "permute-and-flip": { epsilon: 2, left: [3, -5, 5, -5], right: [4, -6, 4, -6] },
  "noisy-max-exponential": { epsilon: 2, left: [3, -5, 5, -5], right: [4, -6, 4, -6] },
  "noisy-max": { epsilon: 2, left: [-5, 5, 5, 5], right: [-5, 6, 6, 4] },
  "sparse-vector": { epsilon: 2, noise: 0.5, left: [-5, 1, 2, -1], right: [-6, 0, 1, 0] },
  "numeric-sparse-vector": { epsilon: 2, noise: 0.4, left: [5, 5, 5, 5], right: [4, 4, 4, 4] },
  "histogram": { epsilon: 1, left: ["c"], right: [] },
  "contingency-table": { epsilon: 1, left: [{ smokes: true, sex: "f" }], right: [] },
  "count": { epsilon: 1, left: [true], right: [false] },
  "sum": { epsilon: 1, left: [0, 1], right: [1, 1] },
  "mean": { epsilon: 1, left: [0, 1], right: [1, 1] },
  "mean-of-unknown-size": { epsilon: 2, noise: 0.6, left: [1, 1], right: [1, 1, 0] },
  "quantile": { epsilon: 2, left: [1, 0.05], right: [0, 0.05] },
};

const DELTA = 0.1;

function run(
  mechanism: Mechanism,
  options: Partial<Parameters<typeof audit>[1]>,
): Promise<AuditReport> {
  const subject = mechanismSubject(mechanism, { source: new SeededSource(91) });
  return audit(subject, {
    alpha: ALPHA,
    maxDraws: 6_000,
    maxSeconds: 20,
    seed: 92,
    shrink: false,
    ...options,
  });
}

for (const name of audited) {
  const floating = name.startsWith("float-");
  Deno.test(`${name} is ${floating ? "" : "not "}refuted by an audit that looks at bits`, async () => {
    const epsilon = name === "classical-gaussian" ? 0.5 : 1;
    const mechanism = mechanismNamed(name, { epsilon, delta: DELTA });
    // No search: the pair on which they lose most is known.
    const pair = name.endsWith("gaussian")
      ? { pair: pairOf(replaceOne, { left: [0], right: [1] }) }
      : {};
    const { verdict } = await run(mechanism, { bits: true, ...pair });
    assertEquals(verdict, floating ? "refuted" : "not-refuted");
  });
}

for (const [name, { epsilon, noise = 0.85, left, right }] of Object.entries(weakness)) {
  Deno.test(`${name} with ${noise} of its noise is refuted`, async () => {
    const whole = mechanismNamed(name, { epsilon, delta: DELTA });
    const weak = { ...mechanismNamed(name, { epsilon: epsilon / noise, delta: DELTA }) };
    const report = await run(weak, {
      claim: whole.claim,
      pair: pairOf(whole.claim.relation, { left, right }),
      maxDraws: 300_000,
    });
    assertEquals(report.verdict, "refuted");
  });
}

Deno.test("classical gaussian whose query moves four times the stated sensitivity is refuted", async () => {
  // Its formula has more noise than needed: 15% less is still private at these ε and δ.
  const mechanism = classicalGaussian<number>({
    query: (rows) => 4 * rows[0]!,
    epsilon: 0.5,
    delta: DELTA,
    sensitivity: 1,
    granularity: 2 ** -6,
    relation: replaceOne,
  });
  const report = await run(mechanism, {
    pair: pairOf(replaceOne, { left: [0], right: [1] }),
    maxDraws: 300_000,
  });
  assertEquals(report.verdict, "refuted");
});
