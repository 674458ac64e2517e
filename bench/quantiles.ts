/**
 * Errors of quantiles on Adult's ages, hours and capital gains, beside diffprivlib's where it is to be had, and seconds of 99 over a million rows.
 * Run: deno task bench quantiles --data FOLDER [--seeds 20] [--python python3]; PYTHONPATH holds diffprivlib.
 */
import process from "node:process";
import { gunzipSync } from "node:zlib";
import { addRemoveOne } from "../lib/core/relation.ts";
import { SeededSource } from "../lib/random/seeded_source.ts";
import { ONE_GROUP } from "../lib/tables/keys.ts";
import { table } from "../lib/tables/mod.ts";
import { askedQuantiles } from "../lib/tables/quantiles.ts";
import { checkSchema } from "../lib/tables/schema.ts";
import { option } from "./option.ts";

const seeds = Number(option("seeds") ?? 20), bounds = { groups: 1, rows: 1 };

const THEIRS = `
import json, sys, warnings
import numpy as np
warnings.filterwarnings("ignore")
from diffprivlib.tools import quantile
values, upper, trials, seeds = json.load(sys.stdin)
values = np.array(values, dtype=float)
def answer(levels, epsilon, seed):
    try:
        return [float(v) for v in np.atleast_1d(quantile(values, levels, epsilon=epsilon, bounds=(0, upper), random_state=seed))]
    except RuntimeError:
        return None
print(json.dumps([[answer(*trial, seed) for seed in range(seeds)] for trial in trials]))
`;

const trials = [1, 5, 99].flatMap((m) => {
  const levels = Array.from({ length: m }, (_, i) => (i + 1) / (m + 1));
  return [0.1, 1].map((epsilon) => [levels, epsilon] as const);
});

async function theirs(
  values: readonly number[],
  upper: number,
): Promise<(number[] | null)[][] | undefined> {
  const child = new Deno.Command(option("python") ?? "python3", {
    args: ["-c", THEIRS],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify([values, upper, trials, seeds])));
  await writer.close();
  const { success, stdout } = await child.output();
  // As diffprivlib answers each level by itself, a larger level may have the smaller answer: they are sorted.
  return success ? JSON.parse(new TextDecoder().decode(stdout)) : undefined;
}

function ours(
  values: readonly number[],
  upper: number,
  step?: number,
): number[][][] {
  const schema = {
    columns: { x: { type: "number", lower: 0, upper, ...(step && { step }) } },
    unit: "row",
    relation: addRemoveOne,
    budget: { epsilon: 1 },
  } as const;
  const view = { schema: checkSchema(schema), bounds };
  return trials.map(([levels, epsilon]) => {
    const asked = askedQuantiles(view, { keys: ONE_GROUP, column: "x", levels, epsilon, bounds });
    const { take, end } = asked.open(new SeededSource(0));
    for (const x of values) take({ x });
    end();
    return Array.from(
      { length: seeds },
      (_, seed) => asked.draw(new SeededSource(seed)).rows.map(({ value }) => value),
    );
  });
}

/** The mean distance of answers from the quantiles, and how many runs gave none. */
function errorOf(
  sorted: Float64Array,
  levels: readonly number[],
  answers: readonly (number[] | null)[],
): string {
  const given = answers.filter((values) => values !== null);
  let sum = 0;
  for (const values of given) {
    Float64Array.from(values).sort().forEach((value, i) =>
      sum += Math.abs(value - sorted[Math.max(0, Math.ceil(levels[i]! * sorted.length) - 1)]!)
    );
  }
  const failures = answers.length - given.length;
  const error = given.length > 0
    ? String(Number((sum / levels.length / given.length).toPrecision(2)))
    : "";
  return failures === 0 ? error : `${error} (${failures} of ${answers.length} runs fail)`.trim();
}

const data = option("data");
if (data !== undefined) {
  const rows = ["data", "test"].flatMap((part) => {
    const bytes = gunzipSync(Deno.readFileSync(`${data}/adult/adult.${part}.gz`));
    return new TextDecoder().decode(bytes).split("\n").map((line) => line.split(", "))
      .filter(({ length }) => length === 15);
  });
  console.log("| column | levels | ε | diffprivlib | table | with step: 1 |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (
    const [name, at, upper] of [["ages", 0, 100], ["hours", 12, 100], [
      "capital gains",
      10,
      1e5,
    ]] as const
  ) {
    const values = rows.map((cells) => Number(cells[at]));
    const sorted = Float64Array.from(values).sort();
    const [a, b, c] = [
      await theirs(values, upper),
      ours(values, upper),
      ours(values, upper, 1),
    ];
    trials.forEach(([levels, epsilon], i) => {
      const errors = [a, b, c].map((all) =>
        all === undefined ? "" : errorOf(sorted, levels, all[i]!)
      );
      console.log(`| ${[name, levels.length, epsilon, ...errors].join(" | ")} |`);
    });
  }
}
const million = table(
  Array.from({ length: 1e6 }, (_, i) => ({ x: (i * 0.618034) % 1 })),
  {
    columns: { x: { type: "number", lower: 0, upper: 1 } },
    unit: "row",
    relation: addRemoveOne,
    budget: { epsilon: 1 },
  },
);
const start = process.cpuUsage();
await million.quantiles("x", { levels: trials.at(-1)![0], epsilon: 1 });
const { user, system } = process.cpuUsage(start);
console.log(`99 quantiles of a million rows: ${((user + system) / 1e6).toFixed(2)} CPU seconds`);
