/**
 * Errors of answers about tables on Adult's ages, hours and capital gains, beside diffprivlib's where it is to be had, and seconds of 99 quantiles of a million rows.
 * Run: deno task bench diffprivlib --data FOLDER [--seeds 10] [--python python3]; PYTHONPATH holds diffprivlib.
 */
import process from "node:process";
import { gunzipSync } from "node:zlib";
import { addRemoveOne, replaceOne } from "../../lib/core/relations/relation.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { askedOf, type Prepared } from "../../lib/dp/tables/ask.ts";
import { binKeys, ONE_GROUP } from "../../lib/dp/tables/keys.ts";
import { type Answers, table } from "../../lib/dp/tables/mod.ts";
import { askedQuantiles } from "../../lib/dp/tables/quantiles.ts";
import { checkSchema } from "../../lib/dp/tables/schema.ts";
import { option } from "../option.ts";

const seeds = Number(option("seeds") ?? 10), bounds = { groups: 1, rows: 1 };

const THEIRS = `
import json, sys, warnings
import numpy as np
warnings.filterwarnings("ignore")
from diffprivlib import tools
values, upper, trials = json.load(sys.stdin)
values = np.array(values, dtype=float)
def answer(what, levels, epsilon, seed):
    given = {"epsilon": epsilon, "random_state": seed}
    if what == "count":
        return [tools.count_nonzero(np.ones(len(values)), **given)]
    if what == "histogram":
        return list(map(float, tools.histogram(values, bins=10, range=(0, upper), **given)[0]))
    given["bounds"] = (0, upper)
    if what == "quantiles":
        return list(map(float, np.atleast_1d(tools.quantile(values, levels, **given))))
    return [float({"sum": tools.sum, "mean": tools.mean, "variance": tools.var}[what](values, **given))]
def answered(*trial):
    try:
        return answer(*trial)
    except RuntimeError:
        return None
print(json.dumps([[answered(*trial, seed) for seed in range(runs)] for *trial, runs in trials]))
`;

interface Trial {
  readonly what: "count" | "histogram" | "sum" | "mean" | "variance" | "quantiles";
  readonly levels: readonly number[];
  readonly epsilon: number;
  /** Twenty times as many where an answer is one number or takes little time. */
  readonly runs: number;
}

const trials = [
  ...(["count", "histogram", "sum", "mean", "variance"] as const).map((what) => ({
    what,
    levels: [],
    runs: 20 * seeds,
  })),
  ...[1, 5, 99].map((m) => ({
    what: "quantiles" as const,
    levels: Array.from({ length: m }, (_, i) => (i + 1) / (m + 1)),
    runs: seeds,
  })),
].flatMap((trial): Trial[] => [0.1, 1].map((epsilon) => ({ ...trial, epsilon })));

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
  const asked = trials.map(({ what, levels, epsilon, runs }) => [what, levels, epsilon, runs]);
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify([values, upper, asked])));
  await writer.close();
  const { success, stdout } = await child.output();
  return success ? JSON.parse(new TextDecoder().decode(stdout)) : undefined;
}

/** What diffprivlib claims: sums, means and variances hide what a row holds and not how many there are, the others whether it is there. */
function asked(
  { what, levels, epsilon }: Trial,
  upper: number,
  step: number | undefined,
): Prepared<Answers> {
  const isReplaced = what === "sum" || what === "mean" || what === "variance";
  const schema = checkSchema({
    columns: { x: { type: "number", lower: 0, upper, missing: 0, ...(step && { step }) } },
    unit: "row",
    relation: isReplaced ? replaceOne : addRemoveOne,
    rowCountIsPublic: isReplaced,
    budget: { epsilon: 1 },
  });
  const view = { schema, bounds }, cost = { epsilon };
  if (what === "quantiles") {
    return askedQuantiles(view, { keys: ONE_GROUP, column: "x", levels, bounds, ...cost });
  }
  const edges = Array.from({ length: 11 }, (_, i) => i * upper / 10);
  return what === "histogram"
    ? askedOf(view, binKeys(schema, "x", edges), { what: "count", cost })
    : askedOf(view, ONE_GROUP, { what, column: "x", cost });
}

function ours(values: readonly number[], upper: number, step?: number): number[][][] {
  return trials.map((trial) => {
    const { open, draw } = asked(trial, upper, step);
    const { take, end } = open(new SeededSource(0));
    for (const x of values) take({ x });
    end();
    return Array.from(
      { length: trial.runs },
      (_, seed) => draw(new SeededSource(seed)).rows.map(({ value }) => value),
    );
  });
}

/** The answers without noise. */
function truthOf({ what, levels }: Trial, sorted: Float64Array, upper: number): number[] {
  const count = sorted.length, sum = sorted.reduce((a, b) => a + b, 0), mean = sum / count;
  switch (what) {
    case "count":
      return [count];
    case "sum":
      return [sum];
    case "mean":
      return [mean];
    case "variance":
      return [sorted.reduce((total, x) => total + (x - mean) ** 2, 0) / count];
    case "histogram":
      return Array.from(
        { length: 10 },
        (_, i) =>
          sorted.filter((x) =>
            x >= i * upper / 10 && (x < (i + 1) * upper / 10 || (i === 9 && x === upper))
          ).length,
      );
    case "quantiles":
      return levels.map((level) => sorted[Math.max(0, Math.ceil(level * count) - 1)]!);
  }
}

/** The mean distance of answers from those without noise, and how many runs gave none. */
function errorOf(
  { what }: Trial,
  truth: readonly number[],
  answers: readonly (number[] | null)[],
): string {
  const given = answers.filter((values) => values !== null);
  let sum = 0;
  for (const values of given) {
    // As diffprivlib answers each level by itself, a larger level may have the smaller answer: they are sorted.
    const list = what === "quantiles" ? values.toSorted((a, b) => a - b) : values;
    list.forEach((value, i) => sum += Math.abs(value - truth[i]!));
  }
  const failures = answers.length - given.length;
  const error = given.length > 0
    ? String(Number((sum / truth.length / given.length).toPrecision(2)))
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
  console.log("| column | question | ε | diffprivlib | table | with `step: 1` |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (
    const [name, at, upper] of [["ages", 0, 100], ["hours", 12, 100], ["gains", 10, 1e5]] as const
  ) {
    const values = rows.map((cells) => Number(cells[at]));
    const sorted = Float64Array.from(values).sort();
    const all = [await theirs(values, upper), ours(values, upper), ours(values, upper, 1)];
    trials.forEach((trial, i) => {
      const truth = truthOf(trial, sorted, upper), { what, levels, epsilon } = trial;
      const errors = all.map((answers) => answers ? errorOf(trial, truth, answers[i]!) : "");
      if (what !== "quantiles") errors[2] = "";
      const question = what === "quantiles" ? `${levels.length} quantiles` : what;
      console.log(`| ${[name, question, epsilon, ...errors].join(" | ")} |`);
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
await million.quantiles("x", { levels: trials.at(-1)!.levels, epsilon: 1 });
const { user, system } = process.cpuUsage(start);
console.log(`99 quantiles of a million rows: ${((user + system) / 1e6).toFixed(2)} CPU seconds`);
