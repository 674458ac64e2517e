import * as Plot from "@observablehq/plot";
import {
  sampleReusableHoldout,
  type Statistic,
  thresholdoutClaim,
} from "../../../lib/papers/holdout/thresholdout.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { figure, names, writeResults } from "./figure.ts";
import { markdownTable } from "./markdown.ts";

/** n rows a set and d columns; how many columns may vote. */
const SIZE = 4000;
const COUNTS = [20, 50, 100, 150, 200, 300, 400, 500];
/** A share of n rows has deviation 1/(2√n) = 0.008: the threshold is five of them, the noise a quarter. */
const OPTIONS = { threshold: 0.04, noiseScale: 0.002, count: 100 };

/** A share of rows that a vote of so many columns is right about. */
interface Point {
  readonly signal: string;
  readonly method: string;
  readonly set: string;
  readonly columns: number;
  readonly accuracy: number;
}

/** Signs in d columns and the label last; `biased` columns agree with it more often than not. */
function signs(source: SeededSource, biased: number): Int8Array[] {
  return Array.from({ length: SIZE }, () => {
    const row = new Int8Array(SIZE + 1);
    let bits = 0;
    for (let j = 0; j <= SIZE; j++) {
      if (j % 32 === 0) bits = source.uint32();
      row[j] = bits >>> (j % 32) & 1 ? 1 : -1;
    }
    for (let j = 0; j < biased; j++) {
      row[j] = (source.uniform() < 0.5 + 3 / Math.sqrt(SIZE) ? 1 : -1) * row[SIZE]!;
    }
    return row;
  });
}

function mean(rows: readonly Int8Array[], statistic: Statistic<Int8Array>): number {
  let sum = 0;
  for (const row of rows) sum += statistic(row);
  return sum / rows.length;
}

/**
 * The experiment of Dwork, Feldman, Hardt, Pitassi, Reingold, Roth 2015, section 5, on signs: the
 * analyst keeps the columns that agree (or disagree) with the label in training and holdout both, by
 * more than a deviation, and lets those vote that do so most in training.
 */
function analyse(
  { training, fresh, answer }: {
    readonly training: readonly Int8Array[];
    readonly fresh: readonly Int8Array[];
    readonly answer: (statistic: Statistic<Int8Array>) => number | null;
  },
): { columns: number; training: number; holdout: number; fresh: number }[] {
  const least = 0.5 / Math.sqrt(SIZE);
  const kept: { column: number; first: number }[] = [];
  for (let column = 0; column < SIZE; column++) {
    const agrees: Statistic<Int8Array> = (row) => row[column] === row[SIZE] ? 1 : 0;
    const first = mean(training, agrees) - 0.5, second = (answer(agrees) ?? 0.5) - 0.5;
    if (Math.abs(first) > least && Math.abs(second) > least && first * second > 0) {
      kept.push({ column, first });
    }
  }
  kept.sort((a, b) => Math.abs(b.first) - Math.abs(a.first));
  return COUNTS.map((columns) => {
    const chosen = kept.slice(0, columns);
    const rightly: Statistic<Int8Array> = (row) => {
      let sum = 0;
      for (const { column, first } of chosen) sum += first > 0 ? row[column]! : -row[column]!;
      return (sum >= 0 ? 1 : -1) === row[SIZE] ? 1 : 0;
    };
    return {
      columns,
      training: mean(training, rightly),
      holdout: answer(rightly) ?? NaN,
      fresh: mean(fresh, rightly),
    };
  });
}

/** Standard and reusable holdout, without and with something to be found; a table, a CSV, a plot. */
export async function holdoutExperiment(
  source: SeededSource,
  { runs, directory }: { readonly runs: number; readonly directory: string },
): Promise<void> {
  const sums = new Map<string, Point>();
  let left = OPTIONS.count;
  for (let run = 0; run < runs; run++) {
    for (const [signal, biased] of [["no signal", 0], ["20 of 4,000 columns", 20]] as const) {
      const random = source.split(`${signal} ${run}`);
      const [training, holdout, fresh] = [0, 1, 2].map(() => signs(random, biased));
      const sets = { training: training!, holdout: holdout!, fresh: fresh! };
      const asked = sampleReusableHoldout(random, { ...sets, ...OPTIONS });
      const methods = {
        "standard holdout": (statistic: Statistic<Int8Array>) => mean(holdout!, statistic),
        Thresholdout: (statistic: Statistic<Int8Array>) => asked.answer(statistic),
      };
      for (const [method, answer] of Object.entries(methods)) {
        for (const { columns, ...shares } of analyse({ ...sets, answer })) {
          for (const [set, accuracy] of Object.entries(shares)) {
            const key = [signal, method, set, columns].join();
            const sum = (sums.get(key)?.accuracy ?? 0) + accuracy / runs;
            sums.set(key, { signal, method, set, columns, accuracy: sum });
          }
        }
      }
      left = Math.min(left, asked.remaining);
    }
  }
  const points = [...sums.values()];
  const claim = thresholdoutClaim(OPTIONS, { rowCount: SIZE });
  const cost = claim.kind === "pure" ? claim.epsilon : NaN;
  console.log(
    `## Reusable holdout: ${SIZE} rows and columns, ${runs} runs; at most ${
      OPTIONS.count - left
    } of ${OPTIONS.count} answers spent, all of which cost ε = ${cost.toFixed(1)}\n`,
  );
  const sets = ["training", "holdout", "fresh"];
  console.log(markdownTable(
    ["", "", "columns that vote", ...sets],
    points.filter(({ set, columns }) => set === "fresh" && [20, 100, 500].includes(columns))
      .map(({ signal, method, columns }) => [
        signal,
        method,
        columns,
        ...sets.map((set) => sums.get([signal, method, set, columns].join())!.accuracy),
      ]),
  ));
  const panel = { fx: "standard holdout", fy: "no signal" };
  const svg = figure({
    width: 740,
    height: 460,
    marginRight: 130,
    x: { label: "columns that vote" },
    y: { label: "share of rows rightly classified", domain: [0.45, 0.85] },
    fx: { label: null, domain: ["standard holdout", "Thresholdout"] },
    fy: { label: null, domain: ["no signal", "20 of 4,000 columns"] },
    color: { domain: sets, range: ["#777777", "#d1495b", "#00798c"] },
    marks: [
      Plot.ruleY([0.5], { strokeDasharray: "4 3" }),
      Plot.line(points, { x: "columns", y: "accuracy", stroke: "set", fx: "method", fy: "signal" }),
      Plot.dot(points, { x: "columns", y: "accuracy", fill: "set", fx: "method", fy: "signal" }),
      names(sets.map((name, i) => ({ name, at: [30, 0.83 - 0.03 * i] })), panel),
    ],
  });
  await writeResults(directory, { name: "reusable_holdout", points, svg });
}
