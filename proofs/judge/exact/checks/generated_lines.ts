import { gaussian, pure } from "../../../../lib/core/claims/claim.ts";
import type { ProgramSource, Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import type { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import type { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { requireNear, requireThat } from "../../../engine/requirement.ts";
import type { Proof } from "./aligned_runs.ts";
import { changedAnswers, eachByOne as relation } from "./changed_answers.ts";

/** Two noisy values A·noise + B·answers of two draws: what comes out tells the noise if the answers are known. */
export interface Line {
  readonly noise: readonly (readonly [number, number])[];
  readonly answers: readonly (readonly [number, number])[];
  readonly widths: readonly [number, number];
}

/** A line with coefficients from −2 to 2 and widths from 1/4 to 2. */
function generatedLine(source: SeededSource): Line {
  const small = (): number => source.uint32() % 5 - 2;
  const pair = (): [number, number] => [small(), small()];
  const noise = [pair(), pair()];
  const [[a, b], [c, d]] = noise as [[number, number], [number, number]];
  if (a * d === b * c) return generatedLine(source);
  const width = (): number => (1 + source.uint32() % 8) / 4;
  return { noise, answers: [pair(), pair()], widths: [width(), width()] };
}

/** What comes out. */
export function runLine(
  { noise, answers }: Line,
  { draws, data, source }: {
    readonly draws: readonly Real[];
    readonly data: readonly Real[];
    readonly source: ProgramSource;
  },
): Real[] {
  return noise.map((row, i) =>
    source.sum(
      ...row.map((factor, k) => source.multiple(factor, draws[k]!)),
      ...data.map((answer, k) => source.multiple(answers[i]![k]!, answer)),
    )
  );
}

/** How far each draw must move for each corner of the changes: A⁻¹·B·c. */
export function movesOf({ noise, answers }: Line): [number, number][] {
  const [[a, b], [c, d]] = noise as [[number, number], [number, number]];
  const determinant = a * d - b * c;
  return [-1, 1].flatMap((first) =>
    [-1, 1].map((second): [number, number] => {
      const [u, v] = answers.map(([x, y]) => x * first + y * second) as [number, number];
      return [(d * u - b * v) / determinant, (a * v - c * u) / determinant];
    })
  );
}

const LINES = 12;

/** Lines of Laplace noise lose what their corners say, where the claim asks for it; lines of Gaussian noise at least that. */
export async function requireLines(
  prove: typeof proveAlignment,
  { source, runs }: {
    readonly source: SeededSource;
    readonly runs: (program: TracedProgram, proof: Proof, count: number) => void;
  },
): Promise<void> {
  const cases = changedAnswers(2);
  for (let k = 0; k < LINES; k++) {
    const line = generatedLine(source), { widths } = line, moves = movesOf(line);
    const shown = JSON.stringify(line);
    const program: TracedProgram = (data, draws) =>
      runLine(line, {
        draws: widths.map((rate) => draws.laplace({ rate })),
        data: data as Real[],
        source: draws,
      });
    const costOf = (move: readonly number[]): number =>
      move.reduce((sum, x, i) => sum + widths[i]! * Math.abs(x), 0);
    const truth = Math.max(...moves.map(costOf));
    // Without splits each draw has a bound of its own.
    const apart = costOf([0, 1].map((i) => Math.max(...moves.map((move) => Math.abs(move[i]!)))));
    const loose = await prove({ name: "line", run: program }, {
      claim: pure({ epsilon: 100, relation }),
      cases,
    });
    requireNear(loose.report.epsilon, apart, { what: shown, absolute: 1e-12 });
    runs(program, loose, 10);
    if (truth > 0) {
      const sharp = await prove({ name: "line", run: program }, {
        claim: pure({ epsilon: truth * (1 + 1e-12), relation }),
        cases,
      });
      requireNear(sharp.report.epsilon, truth, { what: shown, absolute: 1e-11 });
      requireThat(sharp.report.verdict === "holds", shown);
      runs(program, sharp, 10);
    }
    const gauss: TracedProgram = (data, draws) =>
      runLine(line, {
        draws: widths.map((variance) => draws.gaussian({ variance })),
        data: data as Real[],
        source: draws,
      });
    const normal = await prove({ name: "line", run: gauss }, {
      claim: gaussian({ mu: 100, relation }),
      cases,
    });
    const square = (move: readonly number[]): number =>
      move.reduce((sum, x, i) => sum + x * x / widths[i]!, 0);
    const [least, most] = [
      Math.max(...moves.map(square)),
      square([0, 1].map((i) => Math.max(...moves.map((move) => Math.abs(move[i]!))))),
    ].map(Math.sqrt) as [number, number];
    const { mu } = normal.report;
    requireThat(least - 1e-12 <= mu && mu <= most + 1e-12, `${shown}: μ of ${mu}`);
    runs(gauss, normal, 10);
  }
}
