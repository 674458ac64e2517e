import { gaussian, pure } from "../../lib/core/claim.ts";
import type { ProgramSource, Real } from "../../lib/core/continuous_draws.ts";
import type { proveAlignment } from "../../lib/exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../../lib/exact/alignment/trace_program.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { type Proof, requireAlignedRuns } from "./aligned_runs.ts";
import { changedAnswers, eachByOne as relation } from "./changed_answers.ts";
import { generatedLine, type Line, movesOf, runLine } from "./generated_lines.ts";

type Prove = typeof proveAlignment;

/** What two draws with these rates cost when they move. */
const costOf = (widths: readonly number[], move: readonly number[]): number =>
  move.reduce((sum, x, i) => sum + widths[i]! * Math.abs(x), 0);

/** Lines of two answers behind a comparison of a third: what is lost is the sum, and the shown pair attains it. */
export async function requireGuardedLines(prove: Prove, source: SeededSource): Promise<void> {
  for (let k = 0; k < 6; k++) {
    const line = generatedLine(source), { widths } = line, shown = `line ${k}`;
    const rate = (1 + source.uint32() % 4) / 4, first = k % 2 === 0;
    const program: TracedProgram = (data, draws) => {
      const [a, b, c] = data as Real[];
      const guard = draws.sum(c!, draws.laplace({ rate }));
      const isOpen = first ? draws.less(0, guard) : !draws.less(0, guard);
      if (!isOpen) return "closed";
      return runLine(line, {
        draws: widths.map((width) => draws.laplace({ rate: width })),
        data: [a!, b!],
        source: draws,
      });
    };
    const truth = rate + Math.max(...movesOf(line).map((move) => costOf(widths, move)));
    const proof = await prove({ name: shown, run: program }, {
      claim: pure({ epsilon: truth * (1 + 1e-12), relation }),
      cases: changedAnswers(3),
    });
    requireEqual(proof.report.verdict, "holds", shown);
    requireNear(proof.report.epsilon, truth, { what: shown, absolute: 1e-11 });
    requireAlignedRuns(program, proof, { runs: 10, source });
    if (truth > rate) requirePair(proof, line, { rate, truth, shown });
  }
}

/** The pair of a report is one at which the line alone loses what was shown. */
function requirePair(
  { report }: Proof,
  line: Line,
  { rate, truth, shown }: { readonly rate: number; readonly truth: number; readonly shown: string },
): void {
  const { left, right } = report.worst!.pair as { left: number[]; right: number[] };
  requireThat(relation.violation(left, right) === undefined, `${shown}: no neighbours`);
  const [u, v, w] = right.map((x, i) => x - left[i]!) as [number, number, number];
  const [[a, b], [c, d]] = line.noise as [[number, number], [number, number]];
  const [s, t] = line.answers.map(([x, y]) => x * u + y * v) as [number, number];
  const determinant = a * d - b * c;
  const move = [(d * s - b * t) / determinant, (a * t - c * s) / determinant];
  requireNear(rate * Math.abs(w) + costOf(line.widths, move), truth, {
    what: `${shown}: the loss at the pair`,
    absolute: 1e-9,
  });
}

/** A value factor·answer + noise. */
interface Value {
  readonly answer: number;
  readonly factor: number;
  readonly kind: "laplace" | "exponential" | "gumbel" | "gaussian";
  readonly rate: number;
}

/** Comparisons of values with each other or with a number, down to a label and perhaps a value. */
type Decision =
  | { readonly label: number; readonly released: number | undefined }
  | {
    readonly smaller: number;
    readonly than: number | { readonly limit: number };
    readonly ways: readonly [Decision, Decision];
  }
  | { readonly largest: readonly Decision[] };

function generatedDecision(source: SeededSource, values: number, depth: number): Decision {
  const below = (limit: number): number => source.uint32() % limit;
  if (depth === 0 || below(4) === 0) {
    return { label: below(2), released: below(3) === 0 ? below(values) : undefined };
  }
  const next = (): Decision => generatedDecision(source, values, depth - 1);
  if (below(3) === 0) return { largest: Array.from({ length: values }, next) };
  const smaller = below(values);
  return {
    smaller,
    than: below(2) === 0 ? { limit: below(5) - 2 } : (smaller + 1 + below(values - 1)) % values,
    ways: [next(), next()],
  };
}

function runDecision(
  decision: Decision,
  values: readonly Real[],
  source: ProgramSource,
): unknown {
  if ("label" in decision) {
    const { label, released } = decision;
    return released === undefined ? label : [label, values[released]];
  }
  if ("largest" in decision) {
    return runDecision(decision.largest[source.indexOfLargest(values)]!, values, source);
  }
  const { smaller, than, ways } = decision;
  const other = typeof than === "number" ? values[than]! : than.limit;
  return runDecision(ways[source.less(values[smaller]!, other) ? 0 : 1]!, values, source);
}

/**
 * Programs of any comparisons: what is shown of them holds for generated runs, and at no smaller claim. Laplace and Gaussian noise
 * that undoes the change of its own answer is always enough.
 */
export async function requireDecisions(prove: Prove, source: SeededSource): Promise<void> {
  const kinds = ["laplace", "exponential", "gumbel", "gaussian"] as const;
  let proved = 0, compared = 0;
  for (let k = 0; k < 16; k++) {
    const kind = kinds[k % 4]!;
    const values = Array.from({ length: 2 + source.uint32() % 2 }, (): Value => ({
      answer: source.uint32() % 2,
      factor: source.uint32() % 4 - 1,
      kind,
      rate: (1 + source.uint32() % 4) / 4,
    }));
    const decision = generatedDecision(source, values.length, 2);
    const program: TracedProgram = (data, draws) => {
      const noisy = values.map(({ answer, factor, rate }) =>
        draws.sum(
          draws.multiple(factor, (data as Real[])[answer]!),
          kind === "gaussian" ? draws.gaussian({ variance: 1 / rate }) : draws[kind]({ rate }),
        )
      );
      return runDecision(decision, noisy, draws);
    };
    const isGaussian = kind === "gaussian", shown = `decision ${k}`;
    const all = values.map(({ factor, rate }) =>
      isGaussian ? rate * factor ** 2 : rate * Math.abs(factor)
    ).reduce((a, b) => a + b);
    const most = Math.max(1e-3, isGaussian ? Math.sqrt(all) * (1 + 1e-9) : all);
    const claim = isGaussian ? gaussian({ mu: most, relation }) : pure({ epsilon: most, relation });
    const proof = await prove({ name: shown, run: program }, { claim, cases: changedAnswers(2) });
    const { report } = proof;
    if (isGaussian || kind === "laplace") {
      requireEqual(report.verdict, "holds", `${shown}: ${JSON.stringify([values, decision])}`);
    }
    if (report.open.length > 0) continue;
    proved++;
    requireEqual(
      report.verdict === "holds",
      report.epsilon <= most && report.mu <= most &&
        (isGaussian ? report.epsilon : report.mu) === 0,
      shown,
    );
    compared += requireAlignedRuns(program, proof, { runs: 8, source });
  }
  requireThat(proved >= 8 && compared > 60, `${proved} programs, ${compared} runs`);
}
