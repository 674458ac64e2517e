import type { ProgramSource } from "../../../../lib/core/mechanism/continuous_draws.ts";
import type { Affine } from "../../../../lib/judge/exact/alignment/affine.ts";
import type { Alignment } from "../../../../lib/judge/exact/alignment/align_classes.ts";
import {
  dataOf,
  type NeighbourCase,
} from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import type { NoiseLaw, NoiseLaws } from "../../../../lib/judge/exact/alignment/noise_laws.ts";
import type { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import { valueOfFunction } from "../../../../lib/judge/exact/alignment/function_of_data.ts";
import type { CaseLeaf, CaseProof } from "../../../../lib/judge/exact/alignment/prove_case.ts";
import type { TracedProgram } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import { compare, divide, rational, toNumber } from "../../../../lib/core/numeric/rational.ts";
import { programSource } from "../../../../lib/core/random/program_source.ts";
import type { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { requireThat } from "../../../engine/requirement.ts";

/** What was proved, with its details. */
export type Proof = Awaited<ReturnType<typeof proveAlignment>>;

/** Values by the names of variables. */
type Values = ReadonlyMap<string, number>;

const TIE = 1e-7;

/** The value of a form. */
function valueAt(form: Affine, values: Values): number {
  return [...form].reduce(
    (sum, [name, factor]) => sum + toNumber(factor) * (name === "" ? 1 : values.get(name)!),
    0,
  );
}

/**
 * Runs a program with numbers, on data and noise of its own choice, and once more on the neighbour with the noise that the
 * alignment says: it must put out the same, and the shift must cost what was reported at most.
 *
 * @param runs pairs of data and noise for each case
 * @returns how many pairs were compared
 */
export function requireAlignedRuns(
  program: TracedProgram,
  { report, details }: Proof,
  { runs, source, span = 10 }: {
    readonly runs: number;
    readonly source: SeededSource;
    /** Data are within ± this. */
    readonly span?: number;
  },
): number {
  let compared = 0;
  for (const { each, proof, laws } of details) {
    requireThat(disjoint(proof), `${each.name}: two classes go to one`);
    for (let run = 0; run < runs; run++) {
      const data = dataIn(each, source, span);
      if (data === undefined) continue;
      const noise = new Map(
        [...laws.entries()].map(([name, law]) => [name, drawnFrom(law, source)]),
      );
      const leaf = leafAt(proof, data);
      if (leaf === undefined) continue;
      const all = new Map([...leaf.functions.valued(data), ...noise]);
      const shift = shiftAt(leaf, all);
      if (shift === "a tie") continue;
      requireThat(shift !== undefined, `${each.name}: noise in no class`);
      const moved = new Map(
        [...noise].map(([name, value]) => {
          const form = shift.get(name);
          return [name, form === undefined ? value : value + valueAt(form, all)] as const;
        }),
      );
      const [left, right] = [[each.left, noise], [each.right, moved]] as const;
      const run = ([side, draws]: typeof left | typeof right): unknown => {
        const given = dataOf(side, (form) => valueAt(form, data));
        return program(given, scripted(laws, draws));
      };
      const [here, there] = [run(left), run(right)];
      requireThat(
        isNear(here, there),
        () => `${each.name}: ${JSON.stringify(here)} becomes ${JSON.stringify(there)}`,
      );
      const { epsilon, muSquared } = costOf(laws, { noise, moved });
      requireThat(
        epsilon <= report.epsilon + TIE && muSquared <= report.mu ** 2 + TIE,
        () => `${each.name}: a shift that costs ${epsilon}, ${muSquared}`,
      );
      compared++;
    }
  }
  return compared;
}

/** Values of the variables that satisfy the premises; `undefined` where none were found. */
function dataIn(
  { premises }: NeighbourCase,
  source: SeededSource,
  span: number,
): Values | undefined {
  const names = new Set(premises.flatMap(({ form }) => [...form.keys()]));
  for (let attempt = 0; attempt < 200; attempt++) {
    const values = new Map<string, number>();
    for (const name of names) {
      const wide = name.startsWith("c") && attempt % 2 === 0 ? 1 : span;
      const unit = 2 * source.uniform() - 1;
      // Ends of ranges, too: that is where bounds are attained.
      values.set(name, source.uint32() % 3 === 0 ? wide * Math.sign(unit) : wide * unit);
    }
    if (premises.every(({ form }) => valueAt(form, values) >= 0)) return values;
  }
  return undefined;
}

function drawnFrom(law: NoiseLaw, source: SeededSource): number {
  const draws = programSource(source);
  const wide = 2 + 6 * source.uniform();
  switch (law.kind) {
    case "gaussian":
      return wide * (draws.gaussian({ variance: law.variance }) as number);
    default:
      // Wider than the law, so that rare outputs are seen.
      return wide * (draws[law.kind]({ rate: law.rate }) as number);
  }
}

function leafAt(proof: CaseProof, data: Values): CaseLeaf | undefined {
  if (proof.kind === "leaf") return proof;
  if (proof.kind === "empty") return undefined;
  if (proof.kind === "functions") {
    const all = new Map(data);
    for (const each of proof.made) all.set(each.name, valueOfFunction(each, all));
    return leafAt(proof.rest, all);
  }
  const value = valueAt(proof.form, data);
  if (Math.abs(value) < TIE) return undefined;
  return leafAt(value > 0 ? proof.above : proof.other, data);
}

/** The shift of the only class whose paths this noise takes. */
function shiftAt(
  { left, alignment }: CaseLeaf,
  all: Values,
): ReadonlyMap<string, Affine> | "a tie" | undefined {
  const paths = pathsIn(left);
  const taken = paths.map(({ path: { constraints } }) =>
    constraints.map(({ form }) => valueAt(form, all))
  );
  if (taken.some((values) => values.some((value) => Math.abs(value) < TIE))) return "a tie";
  const own = taken.findIndex((values) => values.every((value) => value > 0));
  requireThat(own >= 0, "noise that takes no path");
  requireThat(
    taken.findLastIndex((values) => values.every((value) => value > 0)) === own,
    "noise that takes two paths",
  );
  const classes = alignment.classes.filter((one) => one.left.paths.includes(own));
  return classes.length === 1 ? classes[0]!.shift.shift : undefined;
}

/** The paths of a tree in their order, without the prover's own walk: this judges it. */
function pathsIn(tree: CaseLeaf["left"]): Extract<CaseLeaf["left"], { kind: "path" }>[] {
  switch (tree.kind) {
    case "path":
      return [tree];
    case "empty":
      return [];
    case "branching":
      return tree.ways.flatMap(pathsIn);
  }
}

/** Returns true if no path on the right belongs to two classes. */
function disjoint(proof: CaseProof): boolean {
  if (proof.kind === "empty") return true;
  if (proof.kind === "split") return disjoint(proof.above) && disjoint(proof.other);
  if (proof.kind === "functions") return disjoint(proof.rest);
  const { classes }: Alignment = proof.alignment;
  const all = classes.flatMap(({ right }) => right.paths);
  return new Set(all).size === all.length;
}

/** A source whose continuous draws are known. */
function scripted(laws: NoiseLaws, noise: Values): ProgramSource {
  let place = 0;
  const next = (kind: string, size: { numerator: bigint; denominator: bigint }): number => {
    const name = [...laws.entries()].find(([each, law]) =>
      Number.parseInt(each.slice(1)) === place && law.kind === kind &&
      compare(law.kind === "gaussian" ? law.variance : law.rate, size) === 0
    );
    requireThat(name !== undefined, `draw ${place} is of another law`);
    place++;
    return noise.get(name[0])!;
  };
  const exactly = (value: Parameters<ProgramSource["multiple"]>[0]): ReturnType<typeof rational> =>
    typeof value === "number" ? rational(value) : value;
  const wide = (kind: string) => (width: Parameters<ProgramSource["laplace"]>[0]): number =>
    next(kind, "scale" in width ? divide(rational(1), exactly(width.scale)) : exactly(width.rate));
  const refused = (): never => {
    throw new Error("another draw");
  };
  const all: ProgramSource = {
    ...programSource({
      kind: "seeded",
      uint32: refused,
      uniform: refused,
      fillUint32: refused,
      split: refused,
    }),
    laplace: wide("laplace"),
    exponential: wide("exponential"),
    gumbel: wide("gumbel"),
    gaussian: (width) =>
      next(
        "gaussian",
        "variance" in width ? exactly(width.variance) : rational(Number(width.deviation) ** 2),
      ),
    split: () => all,
  };
  return all;
}

/** What a shift of this noise costs: Σ rate·|shift|, and Σ shift²/variance. Others than Laplace and Gaussian noise only rise. */
function costOf(
  laws: NoiseLaws,
  { noise, moved }: { readonly noise: Values; readonly moved: Values },
): { readonly epsilon: number; readonly muSquared: number } {
  let epsilon = 0, muSquared = 0;
  for (const [name, law] of laws.entries()) {
    const by = moved.get(name)! - noise.get(name)!;
    if (law.kind === "gaussian") muSquared += by * by / toNumber(law.variance);
    else {
      requireThat(
        law.kind !== "exponential" || moved.get(name)! >= -TIE,
        "exponential noise below 0",
      );
      requireThat(law.kind !== "gumbel" || by >= -TIE, "Gumbel noise that falls");
      // Exponential noise that falls gains: only what rises costs.
      epsilon += toNumber(law.rate) * (law.kind === "laplace" ? Math.abs(by) : by);
    }
  }
  return { epsilon, muSquared };
}

function isNear(left: unknown, right: unknown): boolean {
  if (typeof left === "number" && typeof right === "number") {
    return Math.abs(left - right) <= TIE * Math.max(1, Math.abs(left));
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((each, i) => isNear(each, right[i]));
  }
  return JSON.stringify(left) === JSON.stringify(right);
}
