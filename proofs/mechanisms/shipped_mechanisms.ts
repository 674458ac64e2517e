import type { Mechanism } from "../../lib/core/mechanism.ts";
import { mechanismNamed, mechanismNames } from "../../lib/mechanisms/registry.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { cornerPairs } from "../corner_datasets.ts";
import { all, atMost, short } from "../outcome.ts";
import { theorem } from "../theorem.ts";

/** Mechanisms by name, and the ε they are made with as a multiple of the ε claimed. */
interface Shipped {
  readonly names: readonly string[];
  readonly strength: number;
}

/** The ε claimed. */
const EPSILON = 0.5;

/** Mechanisms whose claim is pure and whose law is known exactly. */
export const exactlyKnown: readonly string[] = mechanismNames.filter((name) => {
  // The survey of two coins has an ε of its own; doubles have no exact law; the few answers of the
  // sparse vectors' domains are far from their worst: they have a theorem of their own.
  if (name === "two-coin-survey" || /^float-|sparse-vector$/.test(name)) return false;
  const mechanism = mechanismNamed(name, { epsilon: EPSILON, delta: 1e-3 });
  return mechanism.claim.kind === "pure" &&
    (mechanism.distribution !== undefined || mechanism.logDensity !== undefined);
});

/** The largest |ln P/Q| over corner pairs and outputs: all of them, or those that draws show. */
function worstLoss(mechanism: Mechanism, { seed }: { seed: number }): number {
  const pairs = cornerPairs(mechanism.domain!, { relation: mechanism.claim.relation, most: 40 });
  const source = new SeededSource(seed).split(mechanism.name);
  let worst = 0;
  for (const { left, right } of pairs) {
    if (mechanism.distribution !== undefined) {
      const p = mechanism.distribution(left), q = mechanism.distribution(right);
      p.forEach(({ probability }, i) => {
        const other = q[i]!.probability;
        if (probability !== other) {
          worst = Math.max(worst, Math.abs(Math.log(probability / other)));
        }
      });
      continue;
    }
    for (let k = 0; k < 30; k++) {
      const output = mechanism.sample(k % 2 === 0 ? left : right, source);
      const ratio = mechanism.logDensity!(output, left) - mechanism.logDensity!(output, right);
      worst = Math.max(worst, Math.abs(ratio));
    }
  }
  return worst;
}

/** Every shipped mechanism of a pure claim against its own exact law. */
export const shippedMechanisms = theorem<Shipped>({
  id: "mechanisms/shipped_mechanisms",
  statement:
    "Every mechanism that dpcheck ships with a pure claim and an exact law keeps the claim on " +
    "the corners of its domain.",
  citation: "each mechanism names its own theorem",
  source: "lib/mechanisms/registry.ts",
  assumptions: ["ε = .5; corner pairs of each domain; all outputs, or 30 drawn ones a pair"],
  kind: "enumerated",
  subject: { names: exactlyKnown, strength: 1 },
  check: ({ names, strength }, options) => {
    const losses = names.map((name) => {
      const mechanism = mechanismNamed(name, { epsilon: strength * EPSILON, delta: 1e-3 });
      // Neither the ε asked for nor the claim made of it may be exceeded.
      const own = mechanism.claim.kind === "pure" ? mechanism.claim.epsilon : 0;
      return { name, bound: Math.min(EPSILON, own), loss: worstLoss(mechanism, options) };
    });
    const least = losses.reduce((a, b) => a.loss < b.loss ? a : b);
    return all(
      losses.map(({ name, bound, loss }) =>
        atMost(bound, { value: loss, detail: name, witness: `${name} loses ${short(loss)}` })
      ),
      `${losses.length} mechanisms; the least of their losses is ${
        short(least.loss)
      } (${least.name})`,
    );
  },
  mutants: Object.fromEntries(
    exactlyKnown.map((name) => {
      // A quantile of four rows is some way from its worst.
      const noise = name === "quantile" ? 0.4 : 0.87;
      return [`${name}, noise at ${noise}`, { names: [name], strength: 1 / noise }];
    }),
  ),
});
