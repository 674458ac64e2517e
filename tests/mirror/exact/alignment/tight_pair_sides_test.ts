import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Affine } from "../../../../lib/exact/alignment/affine.ts";
import type { AlignedClass } from "../../../../lib/exact/alignment/align_classes.ts";
import type { Combination } from "../../../../lib/exact/alignment/combination.ts";
import type { Constraint } from "../../../../lib/exact/alignment/constraint.ts";
import { solver } from "../../../../lib/exact/alignment/exact_program.ts";
import type { NeighbourCase } from "../../../../lib/exact/alignment/neighbour_cases.ts";
import { type NoiseLaw, NoiseLaws } from "../../../../lib/exact/alignment/noise_laws.ts";
import type { CaseLeaf } from "../../../../lib/exact/alignment/prove_case.ts";
import { tightPair } from "../../../../lib/exact/alignment/tight_pair.ts";
import { rational } from "../../../../lib/numeric/rational.ts";
import { formFrom } from "./form_from.ts";

const highs = await solver();

/** How a change of a row comes into the cost of a class. */
interface Change {
  readonly low: number;
  readonly high: number;
  /** Ends of the row itself. */
  readonly row: readonly [low: number, high: number];
  /**
   * Which of its ends is needed: either one, by a bound on a shift of either sign (`sides`), the one of a shift of one sign (`total`), or
   * one at which noise of the right class is (`mapped`).
   */
  readonly why: "sides" | "total" | "mapped";
  /** The shift that bounds are for, slope·change + offset, and its rate. */
  readonly slope: number;
  readonly offset: number;
  readonly rate: number;
  /** Another shift that depends on the change. */
  readonly other: {
    readonly kind: NoiseLaw["kind"];
    readonly size: number;
    readonly slope: number;
    readonly offset: number;
  };
}

/** What shifts cost where the change is this. */
function costAt({ slope, offset, rate, why, other }: Change, change: number): number {
  const by = other.slope * change + other.offset;
  const further = other.kind === "gaussian"
    ? by * by / other.size
    : other.size * (other.kind === "laplace" ? Math.abs(by) : by);
  return further + (why === "mapped" ? 0 : rate * Math.abs(slope * change + offset));
}

/** The end at which a change is expected, and whether rounding decides. */
function endOf(change: Change): { end: number; isClose: boolean } {
  const { low, high, slope, why } = change;
  const [above, below] = slope > 0 ? [high, low] : [low, high];
  if (why !== "sides") return { end: above, isClose: false };
  const gain = costAt(change, below) - costAt(change, above);
  return { end: gain > 1e-9 ? below : above, isClose: gain !== 0 && Math.abs(gain) < 1e-6 };
}

function caseOf(changes: readonly Change[]): {
  each: NeighbourCase;
  leaf: CaseLeaf;
  aligned: AlignedClass;
  laws: NoiseLaws;
} {
  const premises: Constraint[] = [], laws = new NoiseLaws();
  const shift = new Map<string, Affine>();
  const bounds: AlignedClass["shift"]["bounds"][number][] = [];
  const total: [number, ReturnType<typeof rational>][] = [];
  const mapped: [number, ReturnType<typeof rational>][] = [];
  // Constraints of the left class come before the premises.
  const outer = [formFrom({ "": 1 }), formFrom({ n0: 1 })].map((own) => ({
    form: own,
    strict: true,
  }));
  changes.forEach((change, i) => {
    const { low, high, row, slope, offset, rate, why, other } = change;
    const from = premises.length;
    for (
      const terms of [
        { "": high, [`c${i}`]: -1 },
        { "": -low, [`c${i}`]: 1 },
        { "": row[1], [`x${i}`]: -1 },
        { "": -row[0], [`x${i}`]: 1 },
        // Of two variables: it says nothing of the middle of one.
        { "": 1000, [`x${i}`]: -1, [`c${i}`]: -1 },
      ]
    ) premises.push({ form: formFrom(terms), strict: false });
    const weight = rational(Math.abs(slope) * (why === "total" ? rate : 1));
    const [atAbove, atBelow] = slope > 0 ? [from, from + 1] : [from + 1, from];
    if (why !== "mapped") {
      const noise = laws.nameOf(2 * i, { kind: "laplace", rate: rational(rate) });
      const own = formFrom({ "": offset, [`c${i}`]: slope });
      shift.set(noise, own);
      const one = (place: number): Combination => [[place, weight]];
      const size = Math.max(...[low, high].map((c) => Math.abs(slope * c + offset)));
      bounds.push(
        why === "sides"
          ? { noise, bound: formFrom({ "": size }), above: one(atAbove), below: one(atBelow) }
          : { noise, bound: own, above: [], below: one(atBelow) },
      );
      if (why === "total") total.push([atAbove, weight]);
    } else mapped.push([outer.length + atAbove, weight]);
    const size = rational(other.size);
    const law: NoiseLaw = other.kind === "gaussian"
      ? { kind: "gaussian", variance: size }
      : { kind: other.kind, rate: size };
    shift.set(
      laws.nameOf(2 * i + 1, law),
      formFrom({ "": other.offset, [`c${i}`]: other.slope }),
    );
  });
  const rows = changes.map((_, i) => formFrom({ [`x${i}`]: 1 }));
  const each = {
    left: { rows },
    right: { rows: changes.map((_, i) => formFrom({ [`x${i}`]: 1, [`c${i}`]: 1 })) },
    premises,
  } as unknown as NeighbourCase;
  const aligned = {
    outer: { constraints: outer },
    shift: { shift, mapped: mapped.map((one) => [one]), supported: [], bounds, total },
  } as unknown as AlignedClass;
  return { each, leaf: { premises } as unknown as CaseLeaf, aligned, laws };
}

const half = fc.integer({ min: -6, max: 6 }).map((n) => n / 2);
const slope = fc.constantFrom(-2, -1, -0.5, 0.5, 1, 2);
const change: fc.Arbitrary<Change> = fc.record({
  low: fc.integer({ min: -4, max: 0 }),
  high: fc.integer({ min: 1, max: 4 }),
  row: fc.tuple(fc.integer({ min: -5, max: 0 }), fc.integer({ min: 1, max: 6 })),
  why: fc.constantFrom("sides", "sides", "sides", "total", "mapped"),
  slope,
  offset: half,
  rate: fc.constantFrom(0.5, 1, 3),
  other: fc.record({
    kind: fc.constantFrom("laplace", "exponential", "gaussian"),
    size: fc.constantFrom(0.25, 1, 4),
    slope: half,
    offset: half,
  }),
});

function changesOf(pair: { left: unknown; right: unknown } | undefined): {
  rows: number[];
  changes: number[];
} {
  const rows = pair!.left as number[], others = pair!.right as number[];
  return { rows, changes: others.map((x, i) => x - rows[i]!) };
}

// Mutants: the side that costs less; the cost of other noise left out, or at another rate or variance; weights of other premises; rows away from
// the middle.
Deno.test("tightPair() has each change at the end that a bound needs, on the side that costs more, and rows in their middle", () => {
  let turned = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (all) => {
      const expected = all.map(endOf);
      if (expected.some(({ isClose }) => isClose)) return;
      const { each, leaf, aligned, laws } = caseOf(all);
      const { rows, changes } = changesOf(tightPair(each, { leaf, aligned, laws, highs }));
      assertEquals(rows.length, all.length);
      all.forEach(({ row, why, slope, high }, i) => {
        assertAlmostEquals(changes[i]!, expected[i]!.end, 1e-9);
        assertAlmostEquals(rows[i]!, (row[0] + row[1]) / 2, 1e-9);
        turned += Number(why === "sides" && (expected[i]!.end === high) !== slope > 0);
      });
      const largest = changesOf(tightPair(each, { leaf, aligned: undefined, laws, highs }));
      all.forEach(({ high }, i) => assertAlmostEquals(largest.changes[i]!, high, 1e-9));
    }),
    { seed: 2617, numRuns: 150 },
  );
  assert(turned > 40, `${turned}`);
});
