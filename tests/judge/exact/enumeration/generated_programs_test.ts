import { assert, assertEquals } from "@std/assert";
import { approximate, pure } from "../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";
import { certificateOf } from "../../../../lib/judge/exact/enumeration/certificate.ts";
import {
  checkExactly,
  type ExactReport,
} from "../../../../lib/judge/exact/enumeration/check_exactly.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { rejection } from "../../../../lib/judge/certificates/check_enumeration.ts";
import { LONG } from "../../../long.ts";
import {
  BITS,
  exponential,
  generatedTrees,
  isTight,
  largestLoss,
  lawOf,
  leastDelta,
  MARGIN,
  ONE,
  runTree,
  toDouble,
} from "./generated_programs.ts";

// Laws of generated programs are worked out in 400 binary places, by series. Mutants: bounds a billionth off; equality that is not
// seen; the sides of a witness exchanged; a certificate of other laws.
Deno.test("checkExactly() finds ε, δ, verdict, witness and laws of generated programs, and its certificates are accepted", () => {
  const random = new SeededSource(20261121).split("generated programs");
  const seen = { holds: 0, refuted: 0, attained: 0, infinite: 0, undecided: 0 };
  for (let k = 0; k < (LONG ? 240 : 50); k++) {
    const trees = generatedTrees(random, 1 + k % 3, 2 + k % 4);
    const laws = trees.map(() => new Map<number, bigint>());
    const runs = trees.reduce((sum, tree, i) => sum + lawOf(tree, ONE, laws[i]!), 0);
    const loss = largestLoss(laws), quarters = Math.round(4 * loss);
    // Where the loss is a multiple of a quarter, equality is decided.
    const epsilon = quarters > 0 && Math.abs(quarters - 4 * loss) < 1e-9
      ? quarters / 4
      : [0.25, 0.5, 1, 2, 0.7][random.uint32() % 5]!;
    const delta = k % 3 === 0 ? [0.125, 0.2, 0.01][random.uint32() % 3]! : 0;
    const claim = delta === 0
      ? pure({ epsilon, relation })
      : approximate({ epsilon, delta, relation });
    const options = {
      claim: claim as ReturnType<typeof pure>,
      datasets: [[0], [1]],
      neighbours: [[0, 1]] as const,
    };
    const checked = checkExactly(
      { name: "it", run: ([row], source) => runTree(trees[row as 0 | 1], source) },
      options,
    );
    const { report } = checked;
    const { numerator, denominator } = rational(epsilon);
    const factor = exponential(numerator, denominator);
    const least = leastDelta(laws, factor), allowed = rational(delta);
    const over = least - (allowed.numerator << BITS) / allowed.denominator;
    const tied = over <= MARGIN && over >= -MARGIN && (delta > 0 || isTight(laws, factor));
    const expected = {
      branches: runs,
      verdict: over > MARGIN ? "refuted" : "holds",
      kind: "exact",
      attained: tied,
      remainder: 0,
      datasets: 2,
      pairs: 1,
      subject: "it",
    } as const;
    for (const [key, value] of Object.entries(expected)) {
      assertEquals(report[key as keyof ExactReport], value, `program ${k}: ${key}`);
    }
    seen[report.verdict]++;
    if (tied) seen.attained++;
    if (loss === Infinity) seen.infinite++;
    assert(encloses(report, { loss, least, delta }), `program ${k}: bounds`);
    assert(witnesses(report, laws, loss), `program ${k}: witness`);
    if (delta === 0) {
      assert(
        report.verdict === "holds" || report.everyEpsilon === undefined,
        `program ${k}: every ε`,
      );
    }
    const certificate = certificateOf(checked, options);
    assert(states(certificate, laws), `program ${k}: laws of its certificate`);
    assertEquals(rejection(certificate), undefined, `program ${k}`);
  }
  const few = LONG ? 1 : 1 / 3;
  assert(
    Math.min(seen.holds, seen.refuted) > 15 * few &&
      Math.min(seen.attained, seen.infinite) > 3 * few,
    JSON.stringify(seen),
  );
});

function encloses(
  { epsilon, delta, verdict }: ExactReport,
  truth: { readonly loss: number; readonly least: bigint; readonly delta: number },
): boolean {
  const shown = toDouble(truth.least), { loss } = truth;
  if (truth.delta > 0 || verdict === "refuted") {
    if (delta.lower > shown * (1 + 1e-15) || shown > delta.upper * (1 + 1e-15)) return false;
    if (delta.upper - delta.lower > 1e-14 * shown + 1e-60) return false;
  } else if (delta.lower !== 0 || delta.upper !== 0) return false;
  if (truth.delta > 0) return true;
  return epsilon.lower <= loss + 1e-14 && loss <= epsilon.upper + 1e-14 &&
    (loss === Infinity ? epsilon.upper === Infinity : epsilon.upper - epsilon.lower < 1e-12);
}

/** Whether the output shown has the probabilities shown, and their ratio the largest loss. */
function witnesses(
  { witness }: ExactReport,
  laws: readonly Map<number, bigint>[],
  loss: number,
): boolean {
  if (witness === undefined) return false;
  const { left, right, output, probability } = witness;
  const side = (rows: readonly unknown[]): number =>
    toDouble(laws[rows[0] as number]!.get(output as number) ?? 0n);
  const holds = ({ lower, upper }: { lower: number; upper: number }, chance: number): boolean =>
    lower <= chance * (1 + 1e-15) && chance <= upper * (1 + 1e-15) &&
    upper - lower <= 1e-14 * chance + 1e-60;
  const [p, q] = [side(left), side(right)];
  return holds(probability.left, p) && holds(probability.right, q) &&
    (loss === Infinity ? q === 0 : Math.abs(Math.log(p / q) - loss) < 1e-12);
}

/** Whether the laws of a certificate are those worked out here. */
function states(text: string, laws: readonly Map<number, bigint>[]): boolean {
  const certificate = JSON.parse(text) as {
    readonly scale: string;
    readonly places: readonly number[];
    readonly laws: readonly {
      readonly denominator: readonly [string, string][];
      readonly remainder: string;
      readonly outputs: Readonly<Record<string, readonly [string, string][]>>;
    }[];
  };
  const value = (terms: readonly (readonly [string, string])[]): bigint =>
    terms.reduce(
      (sum, [exponent, coefficient]) =>
        sum + BigInt(coefficient) * exponential(-BigInt(exponent), BigInt(certificate.scale)),
      0n,
    );
  return certificate.places.every((place, i) => {
    const { denominator, remainder, outputs } = certificate.laws[place]!;
    if (remainder !== "0" || Object.keys(outputs).length !== laws[i]!.size) return false;
    const below = value(denominator);
    return Object.entries(outputs).every(([key, terms]) => {
      const expected = [...laws[i]!].find(([output]) => key.includes(String(output)))![1];
      const off = (value(terms) << BITS) / below - expected;
      return off < MARGIN && off > -MARGIN;
    });
  });
}
