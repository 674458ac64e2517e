import { sampleReusableHoldout, type Statistic } from "../../lib/papers/holdout/thresholdout.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { drawChart } from "./charts.ts";
import { drawWithSliders, percent, say } from "./sliders.ts";

// A holdout that is asked which of many columns of noise are good, without and with Thresholdout (Dwork et al. 2015, section 5).

const COLUMNS = 1000, COUNTS = [5, 10, 20, 30, 40, 50, 60, 80, 100];
/** Answers that may come from the holdout. */
const MOST_ANSWERS = 100;

type Row = Int8Array;

/** Signs that have nothing to do with the label, which is last. */
function signs(source: SeededSource, count: number): Row[] {
  return Array.from(
    { length: count },
    () => Int8Array.from({ length: COLUMNS + 1 }, () => source.uniform() < 0.5 ? -1 : 1),
  );
}

function meanOf(rows: readonly Row[]): (statistic: Statistic<Row>) => number {
  return (statistic) => rows.reduce((sum, row) => sum + statistic(row), 0) / rows.length;
}

/** Measures how a vote of the columns that both sets like does on the holdout, as its answers say, and on fresh rows. */
function analyse(
  { training, fresh, answer }: {
    readonly training: readonly Row[];
    readonly fresh: readonly Row[];
    readonly answer: (statistic: Statistic<Row>) => number | null;
  },
): { readonly said: [number, number][]; readonly true: [number, number][] } {
  const least = 0.5 / Math.sqrt(training.length), ask = meanOf(training);
  const liked = Array.from({ length: COLUMNS }, (_, column) => {
    const agrees: Statistic<Row> = (row) => row[column] === row[COLUMNS] ? 1 : 0;
    return { column, first: ask(agrees) - 0.5, second: (answer(agrees) ?? 0.5) - 0.5 };
  }).filter(({ first, second }) =>
    Math.min(first, second) > least || Math.max(first, second) < -least
  )
    .sort((a, b) => Math.abs(b.first) - Math.abs(a.first));
  const points = COUNTS.filter((count) => count <= liked.length).map((count) => {
    const votes = liked.slice(0, count);
    const isRight: Statistic<Row> = (row) => {
      const sum = votes.reduce(
        (all, { column, first }) => all + Math.sign(first) * row[column]!,
        0,
      );
      return (sum >= 0 ? 1 : -1) === row[COLUMNS] ? 1 : 0;
    };
    return { count, said: answer(isRight) ?? NaN, true: meanOf(fresh)(isRight) };
  });
  return {
    said: points.map(({ count, said }) => [count, said]),
    true: points.map((point) => [point.count, point.true]),
  };
}

drawWithSliders(({ n = 0, threshold = 0, noise = 0, seed = 0 }) => {
  const deviation = 0.5 / Math.sqrt(n);
  const source = new SeededSource(seed);
  const [training, holdout, fresh] = [0, 1, 2].map(() => signs(source, n)) as [Row[], Row[], Row[]];
  const guarded = sampleReusableHoldout(source.split("noise"), {
    training,
    holdout,
    threshold: threshold * deviation,
    noiseScale: noise * deviation,
    count: MOST_ANSWERS,
  });
  const standard = analyse({ training, fresh, answer: meanOf(holdout) });
  const reusable = analyse({ training, fresh, answer: (statistic) => guarded.answer(statistic) });
  for (const [id, { said, true: share }] of Object.entries({ standard, reusable })) {
    drawChart(document.getElementById(id)!, {
      says: "What the holdout says beside what is true, by the number of columns that vote.",
      x: { label: "columns that vote", from: 0, to: COUNTS.at(-1)! },
      y: { label: "share that is classified correctly", from: 0.4, to: 0.8 },
      marks: [
        { kind: "level", y: 0.5, look: "dashed" },
        { kind: "line", points: said.filter(([, y]) => !Number.isNaN(y)), look: "shown" },
        { kind: "dots", points: share, look: "right" },
      ],
    });
  }
  const worst = (points: readonly (readonly [number, number])[]): string => {
    const said = points.map(([, y]) => y).filter((y) => !Number.isNaN(y));
    return said.length === 0 ? "nothing" : percent(Math.max(...said));
  };
  say(
    "found",
    `No column says anything: half is all that can be. The plain holdout says ${
      worst(standard.said)
    }; asked through Thresholdout it says ` +
      `${worst(reusable.said)}, and ${
        MOST_ANSWERS - guarded.remaining
      } of its ${MOST_ANSWERS} answers are spent.`,
  );
});
