import type { Highs } from "highs";
import type { Claim } from "../../../core/claims/claim.ts";
import { sameRow } from "../../../core/relations/relation.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { requireInteger } from "../../../core/numeric/require.ts";
import { numberUp } from "../../../core/numeric/amount.ts";
import { compare, type Rational, rational, toNumber } from "../../../core/numeric/rational.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import { ThrownOutput } from "../enumeration/enumerate_outputs.ts";
import type { AlignedClass } from "./align_classes.ts";
import { requireSameRuns, type TestValues } from "./require_same_runs.ts";
import { solver } from "./exact_program.ts";
import { keepsByFractions, keepsClaim, leastAmount, muUp, type ProvedLoss } from "./keeps_claim.ts";
import { movedNoise } from "./moved_noise.ts";
import type { Constraint } from "./constraint.ts";
import type { NeighbourCase } from "./neighbour_cases.ts";
import { NoiseLaws } from "./noise_laws.ts";
import { type CaseLeaf, type CaseProof, leavesOf, proveCase } from "./prove_case.ts";
import { type TightPair, tightPair } from "./tight_pair.ts";
import { pathsOf, type TracedProgram } from "./trace_program.ts";
import { NotTraceable } from "./traced_value.ts";

/** A program that draws continuous noise by the methods of its source, and how reports call it. */
export interface AlignedProgram {
  readonly name: string;
  /** One output. It must take its randomness from the source alone, and keep nothing from one call to the next. */
  readonly run: TracedProgram;
}

/** What is proved, and of which pairs. */
export interface ProveOptions {
  readonly claim: Claim;
  /** All pairs of neighbours that the claim is to hold for, each the right way round. */
  readonly cases: readonly NeighbourCase[];
  /** Most paths, of all cases and both sides together. Default 10,000. */
  readonly maxPaths?: number;
  /** What the program is run on with numbers, to compare it with its trace. Default: data by chance. */
  readonly test?: TestValues;
}

/** What the alignments of a program show. */
export interface AlignmentReport {
  /** `holds`: every path has a shift of noise that is cheap enough, checked exactly. `not proved` does not say that it fails. */
  readonly verdict: "holds" | "not proved";
  /** The program's name. */
  readonly subject: string;
  /** What was to be proved. */
  readonly claim: Claim;
  /** What pure noise loses at most, rounded up; Infinity where some path has no shift. */
  readonly epsilon: number;
  /** μ of the Gaussian noise, rounded up. */
  readonly mu: number;
  /** The claim's ρ, μ or Rényi divergence that the laws of the noise show, rounded up; Infinity for other claims, and where they show none. */
  readonly amount: number;
  /** Whether the claim follows from `epsilon` and `mu` alone, as in a certificate. */
  readonly byFractions: boolean;
  /** Whether noise is made of uniform numbers by the program itself, and not by its source. */
  readonly byHand: boolean;
  /** Paths that were traced, of both sides of all cases. */
  readonly paths: number;
  /** Runs with numbers that gave what the traced paths say. */
  readonly runs: number;
  /** Classes of outputs with a shift of their own. */
  readonly classes: number;
  /** Cases, each of them all pairs of one kind. */
  readonly cases: readonly string[];
  /** Outputs for which no shift was found, with null for values of noise, and the case. */
  readonly open: readonly { readonly case: string; readonly output: unknown }[];
  /** Paths on which the program was not run with numbers, as none were found: what they put out, and what holds of noise and data there. */
  readonly unrun: readonly {
    readonly case: string;
    readonly output: unknown;
    readonly conditions: readonly string[];
  }[];
  /** Where the largest loss was shown, or none: the output, and a pair that an auditor should try. */
  readonly worst: { readonly output: unknown; readonly pair: TightPair | undefined } | undefined;
}

/** Paths of all cases and both sides, at most, where nothing else is said. */
export const MOST_PATHS = 10_000;

/** A case with its proof. */
export interface ProvedCase {
  readonly each: NeighbourCase;
  readonly proof: CaseProof;
  readonly laws: NoiseLaws;
}

/** Where the largest loss is so far. */
interface Worst {
  readonly proved: ProvedCase;
  readonly leaf: CaseLeaf;
  readonly aligned: AlignedClass | undefined;
  readonly output: unknown;
}

/**
 * Proves a claim by alignments of noise (Albarghouthi, Hsu 2018; Wang, Ding, Wang, Kifer, Zhang 2019): every path of the program on
 * a dataset, with its noise shifted by a form of the data, gives the same output on the neighbour. Shifts are found by linear
 * programs; that they do what they must, and what they cost, is checked in fractions.
 *
 * The largest of data, their size and whole numbers near them are bounded as functions of data first, and found by comparisons where that does not suffice.
 *
 * The proof is about real numbers, and not about doubles.
 *
 * @throws {NotTraceable} for a program that cannot be traced.
 * @throws {RangeError} when there are no cases, or an option is out of range.
 */
export async function proveAlignment(
  program: AlignedProgram,
  options: ProveOptions,
): ReturnType<typeof proveOnce> {
  let first: Awaited<ReturnType<typeof proveOnce>> | undefined, reason: unknown;
  let isBent = false;
  try {
    first = await proveOnce(program, options, () => isBent = true);
  } catch (error) {
    if (!(error instanceof NotTraceable)) throw error;
    reason = error;
  }
  if (first?.report.verdict === "holds") return first;
  if (isBent) return await proveOnce(program, options);
  if (first === undefined) throw reason;
  return first;
}

/** Proves it in one way. @param onBent called where something is bounded that comparisons find; without it they do. */
async function proveOnce(
  program: AlignedProgram,
  { claim, cases, maxPaths = MOST_PATHS, test = {} }: ProveOptions,
  onBent?: () => void,
): Promise<{ readonly report: AlignmentReport; readonly details: readonly ProvedCase[] }> {
  requireInteger("trace a program", "maxPaths", maxPaths, { min: 1 });
  if (cases.length === 0) {
    throw new RangeError("Cannot trace a program: some datasets must be neighbours");
  }
  const highs = await solver();
  const source: Source = new SeededSource(1).split("runs beside traces");
  const byLaws = claim.kind !== "pure" && claim.kind !== "approximate";
  const enough = rational(
    claim.kind === "pure" || claim.kind === "approximate" ? claim.epsilon : 0,
  );
  let paths = 0;
  const onPath = (): void => {
    if (++paths > maxPaths) {
      throw new NotTraceable(`it has more than ${maxPaths} paths: raise --max-branches`);
    }
  };
  const details = cases.map((each): ProvedCase => {
    const laws = new NoiseLaws();
    const proof = proveCase(program.run, each, {
      laws,
      highs,
      enough,
      onPath,
      onBent,
    });
    return { each, proof, laws };
  });
  // After all of them, so that what the program remembers of other cases shows.
  let runs = 0;
  const unrun: AlignmentReport["unrun"][number][] = [];
  for (const { each, proof, laws } of details) {
    const same = requireSameRuns(program.run, { each, proof, source, test, laws, highs });
    runs += same.runs;
    for (const { output, constraints } of same.unrun) {
      unrun.push({ case: each.name, output: output.shown, conditions: constraints.map(shownForm) });
    }
  }
  const leaves = details.flatMap((proved) =>
    leavesOf(proved.proof).map((leaf) => ({ proved, leaf }))
  );
  requireAnswers(leaves.map(({ leaf }) => leaf));
  const loss = {
    epsilon: largest(leaves.map(({ leaf }) => leaf.alignment.epsilon)),
    muSquared: largest(leaves.map(({ leaf }) => leaf.alignment.muSquared)),
  };
  const losses = leaves.map(({ proved: { laws }, leaf: { alignment, premises } }): ProvedLoss => ({
    ...alignment,
    ...byLaws && { moved: movedNoise(alignment.classes, { premises, laws, highs }) },
  }));
  const open = leaves.flatMap(({ proved, leaf }) =>
    leaf.alignment.open.map(({ output }) => ({ case: proved.each.name, output: output.shown }))
  );
  const byFractions = keepsByFractions(claim, loss);
  const holds = open.length === 0 && unrun.length === 0 &&
    losses.every((each) => keepsClaim(claim, each));
  const worst = worstOf(leaves);
  return {
    details,
    report: {
      verdict: holds ? "holds" : "not proved",
      subject: program.name,
      claim,
      epsilon: open.length > 0 ? Infinity : numberUp(loss.epsilon),
      mu: open.length > 0 ? Infinity : muUp(loss.muSquared),
      amount: open.length > 0
        ? Infinity
        : Math.max(...losses.map((each) => leastAmount(claim, each))),
      byFractions,
      byHand: leaves.some(({ leaf: { left, right } }) =>
        [...pathsOf(left), ...pathsOf(right)].some(({ hand }) => hand.length > 0)
      ),
      paths: leaves.reduce(
        (sum, { leaf: { left, right } }) => sum + pathsOf(left).length + pathsOf(right).length,
        0,
      ),
      runs,
      classes: leaves.reduce((sum, { leaf }) => sum + leaf.alignment.classes.length, 0),
      cases: cases.map(({ name }) => name),
      open,
      unrun,
      worst: worst && {
        output: worst.output,
        pair: pairOfWorst(worst, highs),
      },
    },
  };
}

/** @throws {NotTraceable} when nothing but errors comes out: nothing was compared. */
function requireAnswers(leaves: readonly CaseLeaf[]): void {
  const outputs = leaves.flatMap(({ left, right }) => [...pathsOf(left), ...pathsOf(right)])
    .map(({ output }) => output.shown);
  const [first] = outputs;
  if (!(first instanceof ThrownOutput)) return;
  if (outputs.every((each) => each instanceof ThrownOutput)) {
    throw new NotTraceable(`every path fails: ${first.message}`);
  }
}

function worstOf(
  leaves: readonly { readonly proved: ProvedCase; readonly leaf: CaseLeaf }[],
): Worst | undefined {
  let worst: Worst | undefined;
  for (const { proved, leaf } of leaves) {
    const { classes, open } = leaf.alignment;
    if (open.length > 0) return { proved, leaf, aligned: undefined, output: open[0]!.output.shown };
    for (const aligned of classes) {
      const { epsilon } = aligned.shift;
      if (worst === undefined || compare(epsilon, worst.aligned!.shift.epsilon) > 0) {
        worst = { proved, leaf, aligned, output: aligned.left.output.shown };
      }
    }
  }
  return worst;
}

/** Returns the tight pair; where no change is needed for the loss, as of data that go another way, one whose changes are large. */
function pairOfWorst({ proved, leaf, aligned }: Worst, highs: Highs): TightPair | undefined {
  const { each, laws } = proved;
  let tight: TightPair | undefined;
  for (const how of [{ aligned }, { aligned: undefined }, { aligned: undefined, isDown: true }]) {
    const found = tightPair(each, { leaf, laws, highs, ...how });
    if (found !== undefined && !sameRow(found.left, found.right)) return found;
    tight ??= found;
  }
  return tight;
}

function largest(values: readonly Rational[]): Rational {
  return values.reduce<Rational>(
    (most, each) => compare(each, most) > 0 ? each : most,
    rational(0),
  );
}

/** Returns a constraint for a reader: n0 is the first draw of noise, x0 the first number of the data, c0 its change. */
function shownForm({ form }: Constraint): string {
  const terms = [...form].map(([name, factor]) => {
    const value = toNumber(factor), size = Math.abs(value);
    const text = name === "" ? String(size) : size === 1 ? name : `${size}·${name}`;
    return `${value < 0 ? "−" : "+"} ${text}`;
  });
  return `${terms.join(" ").replace(/^\+ /, "") || "0"} > 0`;
}
