import type { Label } from "../../../lib/dp/learners/erm/label.ts";
import { denseRows, type Rows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** Rows with one label each. */
export interface LabelledRows {
  readonly rows: Rows;
  readonly labels: readonly Label[];
}

/** A law of rows of norm at most 1 and their labels, without any real data. */
export interface Family {
  readonly name: string;
  readonly classes: readonly Label[];
  /** Training and test rows of one population, which the source decides. */
  draw(source: SeededSource, sizes: { train: number; test: number }): {
    train: LabelledRows;
    test: LabelledRows;
  };
}

type Population = () => { features: number[]; label: Label };

function family(
  name: string,
  { classes = [-1, 1], population }: {
    classes?: readonly Label[];
    population: (source: SeededSource) => Population;
  },
): Family {
  return {
    name,
    classes,
    draw(source, { train, test }): ReturnType<Family["draw"]> {
      const next = population(source);
      const take = (count: number): LabelledRows => {
        const drawn = Array.from({ length: count }, next);
        return {
          rows: denseRows(drawn.map(({ features }) => features)),
          labels: drawn.map(({ label }) => label),
        };
      };
      return { train: take(train), test: take(test) };
    },
  };
}

function normals(source: SeededSource, count: number): number[] {
  return Array.from(floatNormal(source, new Float64Array(count), { scale: 1 }));
}

function unit(vector: readonly number[], { atMost = false } = {}): number[] {
  const length = Math.hypot(...vector);
  return atMost && length <= 1 ? [...vector] : vector.map((value) => value / length);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, j) => sum + value * b[j]!, 0);
}

/** A label by logistic odds of a score that is standardised on 2,000 rows of its own. */
function logisticLabels(
  source: SeededSource,
  { features, score, strength, positives }: {
    features: () => number[];
    score: (features: readonly number[]) => number;
    strength: number;
    positives: number;
  },
): Population {
  const scores = Array.from({ length: 2000 }, () => score(features())).sort((a, b) => a - b);
  const centre = scores[Math.floor((1 - positives) * 2000)]!;
  const mean = scores.reduce((sum, each) => sum + each / 2000, 0);
  const spread = Math.sqrt(scores.reduce((sum, each) => sum + (each - mean) ** 2 / 2000, 0));
  return () => {
    const row = features();
    const odds = strength * (score(row) - centre) / spread;
    return { features: row, label: source.uniform() < 1 / (1 + Math.exp(-odds)) ? 1 : -1 };
  };
}

/** Normal columns with deviations j^(−decay), one of them constant, clipped to norm 1. */
function normalColumns(
  name: string,
  { columns, decay, strength, positives }: {
    columns: number;
    decay: number;
    strength: number;
    positives: number;
  },
): Family {
  return family(name, {
    population: (source) => {
      const deviations = Array.from({ length: columns - 1 }, (_, j) => (j + 1) ** -decay);
      const scale = Math.sqrt(8 / 9) / Math.hypot(...deviations);
      const direction = normals(source, columns - 1);
      const features = (): number[] =>
        unit([
          ...normals(source, columns - 1).map((value, j) => scale * deviations[j]! * value),
          1 / 3,
        ], { atMost: true });
      return logisticLabels(source, {
        features,
        score: (row) => dot(direction, row.slice(0, -1)),
        strength,
        positives,
      });
    },
  });
}

/**
 * Categories, one-hot, with level frequencies ∝ 1/rank, and a constant: every value 1/√(their number
 * and one), so that all rows have norm 1.
 */
function categories(
  name: string,
  { levels, strength, positives }: {
    levels: readonly number[];
    strength: number;
    positives: number;
  },
): Family {
  return family(name, {
    population: (source) => {
      const value = 1 / Math.sqrt(levels.length + 1);
      const width = levels.reduce((sum, count) => sum + count, 1);
      const direction = [...normals(source, width - 1), 0];
      const features = (): number[] => {
        const row = new Array<number>(width).fill(0);
        let from = 0;
        for (const count of levels) {
          row[from + zipf(source, count)] = value;
          from += count;
        }
        row[width - 1] = value;
        return row;
      };
      return logisticLabels(source, {
        features,
        score: (row) => dot(direction, row),
        strength,
        positives,
      });
    },
  });
}

function zipf(source: SeededSource, count: number): number {
  let left = source.uniform() * Array.from({ length: count }, (_, k) => 1 / (k + 1))
    .reduce((sum, each) => sum + each, 0);
  for (let k = 0; k < count - 1; k++) {
    left -= 1 / (k + 1);
    if (left < 0) return k;
  }
  return count - 1;
}

/** Normal clouds around random points of the sphere, one a class, clipped to norm 1. */
function clouds(
  name: string,
  { classes, columns, spread, frequencies }: {
    classes: number;
    columns: number;
    spread: number;
    /** Of classes: all alike, or ∝ 1/rank. */
    frequencies: "equal" | "zipf";
  },
): Family {
  return family(name, {
    classes: Array.from({ length: classes }, (_, k) => k),
    population: (source) => {
      const centres = Array.from(
        { length: classes },
        () => unit(normals(source, columns)).map((value) => 0.8 * value),
      );
      return () => {
        const label = frequencies === "zipf"
          ? zipf(source, classes)
          : Math.floor(source.uniform() * classes);
        const noise = normals(source, columns);
        const features = centres[label]!
          .map((value, j) => value + spread * noise[j]! / Math.sqrt(columns));
        return { features: unit(features, { atMost: true }), label };
      };
    },
  });
}

/** The laws that the rule was chosen on, and reported on with other seeds. */
export const FAMILIES: readonly Family[] = [
  normalColumns("normal", { columns: 20, decay: 0, strength: 4, positives: 0.5 }),
  normalColumns("normal, rare", { columns: 20, decay: 0, strength: 4, positives: 0.2 }),
  normalColumns("decaying", { columns: 60, decay: 1, strength: 4, positives: 0.4 }),
  categories("categories", {
    levels: [2, 3, 4, 6, 8, 10, 16],
    strength: 3,
    positives: 0.5,
  }),
  categories("categories, rare", {
    levels: [2, 2, 4, 4, 6, 8, 12, 20],
    strength: 3,
    positives: 0.2,
  }),
  normalColumns("decaying, wide", { columns: 120, decay: 1, strength: 4, positives: 0.25 }),
  categories("categories, wide", {
    levels: [2, 3, 5, 8, 12, 20, 28, 32],
    strength: 3,
    positives: 0.25,
  }),
  clouds("3 clouds", { classes: 3, columns: 10, spread: 0.5, frequencies: "equal" }),
  clouds("8 clouds", { classes: 8, columns: 20, spread: 0.5, frequencies: "equal" }),
  clouds("5 clouds, unequal", { classes: 5, columns: 15, spread: 1.5, frequencies: "zipf" }),
];
