import {
  type ReusableHoldout,
  sampleReusableHoldout,
  type Statistic,
  thresholdoutClaim,
} from "../../../lib/papers/holdout/thresholdout.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { short } from "../../engine/outcome.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

const ROWS = 1000, COLUMNS = 600;

/** How right a vote on the holdout itself looks at least, and how far from ½ an answer of Thresholdout may be. */
export const LOOKS_RIGHT = 0.563;
const OFF = 0.08;

/** How Thresholdout is asked. */
const ASKED = { threshold: 0.15, noiseScale: 0.005, count: 100 };

/** The ε of that holdout. */
export function epsilonOfHoldout(): number {
  const claim = thresholdoutClaim(ASKED, { rowCount: ROWS });
  return claim.kind === "pure" ? claim.epsilon : NaN;
}

type Row = Int8Array;
/** Opens a holdout that is asked again and again. */
type Open = (
  source: SeededSource,
  sets: { readonly training: readonly Row[]; readonly holdout: readonly Row[] },
) => Pick<ReusableHoldout<Row>, "answer">;

const shipped: Open = (source, sets) => sampleReusableHoldout(source, { ...sets, ...ASKED });

function mean(rows: readonly Row[], statistic: Statistic<Row>): number {
  return rows.reduce((sum, row) => sum + statistic(row), 0) / rows.length;
}

/** The holdout itself, as often as one likes. */
const plain: Open = (_, { holdout }) => ({ answer: (statistic) => mean(holdout, statistic) });

/** Fair signs, the label last: no column says anything of it. */
function fairRows(source: SeededSource): Row[] {
  return Array.from({ length: ROWS }, () => {
    const row = new Int8Array(COLUMNS + 1);
    let bits = 0;
    for (let j = 0; j <= COLUMNS; j++) {
      if (j % 32 === 0) bits = source.uint32();
      row[j] = bits >>> (j % 32) & 1 ? 1 : -1;
    }
    return row;
  });
}

/** Keeps columns that agree with the label in both sets alike, lets them vote, and asks how good the vote is. */
function accuracyAnswered(open: Open, source: SeededSource): number {
  const training = fairRows(source), holdout = fairRows(source);
  const { answer } = open(source, { training, holdout });
  const least = 0.5 * 0.5 / Math.sqrt(ROWS), kept: [column: number, sign: number][] = [];
  for (let column = 0; column < COLUMNS; column++) {
    const agrees: Statistic<Row> = (row) => row[column] === row[COLUMNS] ? 1 : 0;
    const first = mean(training, agrees) - 0.5, second = (answer(agrees) ?? 0.5) - 0.5;
    if (Math.min(Math.abs(first), Math.abs(second)) > least && first * second > 0) {
      kept.push([column, Math.sign(first)]);
    }
  }
  return answer((row) => {
    let sum = 0;
    for (const [column, sign] of kept) sum += sign * row[column]!;
    return (sum >= 0 ? 1 : -1) === row[COLUMNS] ? 1 : 0;
  }) ?? NaN;
}

/** A holdout that is asked adaptively is overfitted, unless by Thresholdout. */
export const adaptiveHoldout = theorem<Open>({
  id: "queries/adaptive_holdout",
  statement:
    `Where labels are fair coins, a vote of columns that are chosen by a holdout looks more than ${LOOKS_RIGHT} right on that holdout; asked in the same way through Thresholdout, it looks within ${OFF} of ½, as it is.`,
  citation: "Dwork, Feldman, Hardt, Pitassi, Reingold, Roth 2015, section 5; Freedman 1983",
  source:
    "Haußmann’s slides, reusable holdout: standard holdout method, and the suggested solution",
  remember: () =>
    `${COLUMNS} columns of coin tosses, and a vote of them looks more than ${LOOKS_RIGHT} right; half is the truth.`,
  assumptions: [
    `false alarms: ${LOOKS_RIGHT} and ${
      0.5 + OFF
    } are four and five standard deviations of a share of 1,000 fair coins; the vote on the plain holdout is .65 right on average (normal law), 5.5 deviations above`,
  ],
  kind: "statistical",
  checked:
    `${ROWS} rows a set, ${COLUMNS} columns, five pairs of sets; threshold ${ASKED.threshold}, σ = ${ASKED.noiseScale}, B = ${ASKED.count}`,
  subject: shipped,
  check: (open, { seed }) =>
    outcomeOf("five pairs of sets", () => {
      const source = new SeededSource(seed).split("adaptive holdout");
      let most = 0;
      for (let run = 0; run < 5; run++) {
        const fitted = accuracyAnswered(plain, source.split(2 * run));
        requireThat(fitted > LOOKS_RIGHT, () => `the plain holdout says ${short(fitted)}`);
        const answered = accuracyAnswered(open, source.split(2 * run + 1));
        const off = Math.abs(answered - 0.5);
        requireThat(off <= OFF, () => `a vote that is right half of the time: ${short(answered)}`);
        most = Math.max(most, off / OFF);
      }
      return most;
    }),
  mutants: {
    "the holdout itself": plain,
    "a threshold above every difference": (source, sets) =>
      sampleReusableHoldout(source, { ...sets, ...ASKED, threshold: 1 }),
  },
});
