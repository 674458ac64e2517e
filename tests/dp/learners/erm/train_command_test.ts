import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { huberHinge } from "../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import {
  type LambdaOptions,
  suggestedLambda,
} from "../../../../lib/dp/learners/erm/suggested_lambda.ts";
import { runMain } from "../../../cli/run_main.ts";
import { withFolder } from "../../../end_to_end/run_cli.ts";

const DESCRIPTION = {
  columns: [
    { name: "age", type: "number", min: 0, max: 100 },
    { name: "income", type: "number", min: 0, max: 1e6, scale: "log" },
    { name: "colour", type: "category", values: ["red", "green", "blue"] },
  ],
  label: { name: "buys", classes: ["no", "yes"] },
};

/** 200 rows in which red means yes; the column `id` is not described and not used. */
function csv(): string {
  const lines = Array.from({ length: 200 }, (_, i) => {
    const colour = ["red", "green", "blue", "red"][i % 4]!;
    return `${i},${20 + i % 50},${1000 * (i % 7)},${colour},${colour === "red" ? "yes" : "no"}`;
  });
  return ["id,age,income,colour,buys", ...lines, ""].join("\n");
}

/** Runs one command in a fresh directory with these files; returns status or the refusal's message. */
async function run(
  words: readonly string[],
  files: Record<string, string>,
): Promise<
  { result: number | string; out: string; read: (name: string) => string | undefined }
> {
  const left = new Map<string, string>();
  let run: Awaited<ReturnType<typeof runMain>>;
  await withFolder(async (folder) => {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    run = await runMain(words.map((word) => word.replace("@", `${folder}/`)));
    for await (const { name } of Deno.readDir(folder)) {
      left.set(name, await Deno.readTextFile(`${folder}/${name}`));
    }
  });
  const { code, out, err } = run!;
  assert(code === 0 || code === 2, err);
  return { result: code === 0 ? 0 : err, out, read: (name) => left.get(name) };
}

const TRAIN =
  "train --data @rows.csv --label buys --columns @columns.json --learner logistic-regression --epsilon 20 --lambda 0.01 --norm-bound 1.5 --intercept 0.5 --out @model.json";

/** No more than there must be. */
const BARE = "train --data @rows.csv --columns @columns.json --epsilon 20 --out @model.json";

async function train(
  words = TRAIN,
  files: Record<string, string> = {},
): Promise<Awaited<ReturnType<typeof run>>> {
  return await run(words.split(" "), {
    "rows.csv": csv(),
    "columns.json": JSON.stringify(DESCRIPTION),
    ...files,
  });
}

Deno.test("dpcheck train writes a model and its claim, and dpcheck predict uses it", async () => {
  const { result, read } = await train();
  assertEquals(result, 0);
  const model = read("model.json")!;
  const saved = JSON.parse(model);
  assertEquals(saved.claim, { kind: "pure", epsilon: 20, relation: "replace-one" });
  assertStringIncludes(saved.statement, "20-DP for one of 200 rows replaced");
  assertEquals(saved.columns.label, DESCRIPTION.label);
  const predicted = await run(
    "predict --model @model.json --data @rows.csv --out @predictions.csv".split(" "),
    { "model.json": model, "rows.csv": csv() },
  );
  assertEquals(predicted.result, 0);
  const lines = predicted.read("predictions.csv")!.trim().split("\n");
  assertEquals([lines[0], lines.length], ["prediction", 201]);
  const labels = csv().trim().split("\n").slice(1).map((line) => line.split(",")[4]);
  const right = labels.filter((label, i) => label === lines[i + 1]).length;
  // Noise at ε = 20 on 200 rows: half the labels would be right by chance.
  assert(right > 150, `${right} of 200 predictions are right`);
});

Deno.test("dpcheck train needs an ε and a description: it trains an additive model, which predict, score and edits take", async () => {
  const { result, read } = await train(`${BARE} --plot @model.svg`);
  assertEquals(result, 0);
  const model = JSON.parse(read("model.json")!);
  assertEquals(model.claim, { kind: "pure", epsilon: 20, relation: "replace-one" });
  assertStringIncludes(read("model.svg")!, "red: ");
  // Whoever edits the model: what colours add is turned round.
  const { scores } = model.shapes[2];
  const edited = {
    ...model,
    shapes: model.shapes.with(2, {
      ...model.shapes[2],
      scores: scores.map((each: number) => -50 * each),
    }),
  };
  const shares = [model, edited].map(async (each) => {
    const files = { "model.json": JSON.stringify(each), "rows.csv": csv() };
    const predict = "predict --model @model.json --data @rows.csv --scores --out @predictions.csv";
    const { read } = await run(predict.split(" "), files);
    const lines = read("predictions.csv")!.trim().split("\n");
    assertEquals([lines[0], lines.length], ["prediction,score of yes", 201]);
    const labels = csv().trim().split("\n").slice(1).map((line) => line.split(",")[4]);
    return labels.filter((label, i) => lines[i + 1]!.startsWith(`${label},`)).length / 200;
  });
  const [before, after] = await Promise.all(shares);
  assert(before! > 0.95 && after! < 0.05, `${before} and ${after}`);
});

Deno.test("dpcheck train says at once all that is missing, and what δ would have gained", async () => {
  const { code, err } = await runMain(["train"]);
  assertEquals(code, 2);
  for (const option of ["--data", "--columns", "--epsilon", "--out"]) {
    assertStringIncludes(err, `${option} <`);
  }
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/rows.csv`, csv());
    await Deno.writeTextFile(`${folder}/columns.json`, JSON.stringify(DESCRIPTION));
    const words = (more: string): string[] =>
      `${BARE.replace("20", "1")} ${more}`.replaceAll("@", `${folder}/`).trim().split(" ");
    for (
      const [more, ...parts] of [
        ["", "Learner: additive.", "With --delta 1e-6 the noise would be about as large."],
        [
          "--learner huber-svm",
          "Learner: huber-svm, norm bound 1.291, intercept 0.4303, lambda 0.0",
        ],
      ] as const
    ) {
      const { code, out } = await runMain(words(more));
      assertEquals(code, 0);
      for (const part of parts) assertStringIncludes(out, part);
    }
    assert(!(await runMain(words("--delta 1e-6"))).out.includes("With --delta"));
    await Deno.writeTextFile(`${folder}/rows.csv`, csv().split("\n")[0]!);
    const empty = await runMain(words(""));
    assertEquals([empty.code, empty.out], [2, ""]);
    assertStringIncludes(empty.err, "rows.csv must have rows");
  });
});

Deno.test("dpcheck train chooses lambda from a weight norm, and trains kernels and three classes", async () => {
  const description = {
    ...DESCRIPTION,
    columns: DESCRIPTION.columns.slice(0, 2),
    label: { name: "colour", classes: ["red", "green", "blue"] },
  };
  const words =
    "train --data @rows.csv --label colour --columns @columns.json --learner huber-svm " +
    "--epsilon 1 --weight-norm 5 --norm-bound 1 --kernel gaussian --gamma 1 --features 7 --out @model.json";
  const { result, read } = await train(words, { "columns.json": JSON.stringify(description) });
  assertEquals(result, 0);
  const saved = JSON.parse(read("model.json")!);
  assertEquals(saved.weights.length, 3);
  assertEquals(saved.preparation.features.count, 7);
});

Deno.test("dpcheck train --weight-norm uses δ, the perturbation and the classes, and no row or label", async () => {
  // Other colours, ages and incomes of as many rows, with a class that never occurs.
  const other = csv().replaceAll("red", "green").replaceAll("yes", "no").replaceAll(",2", ",1");
  assertNotEquals(other, csv());
  const trained = async (words: string, data: string, label: string): Promise<number> => {
    const columns = label === "buys" ? DESCRIPTION.columns : DESCRIPTION.columns.slice(0, 2);
    const classes = label === "buys" ? ["no", "yes"] : ["red", "green", "blue"];
    const { result, read } = await train(
      `train --data @rows.csv --label ${label} --columns @columns.json --epsilon 1 --weight-norm 5 ` +
        `--norm-bound 1.5 --intercept 0.5 --out @model.json --allow-one-class ${words}`,
      {
        "rows.csv": data,
        "columns.json": JSON.stringify({ columns, label: { name: label, classes } }),
      },
    );
    assertEquals(result, 0);
    return JSON.parse(read("model.json")!).training.lambda;
  };
  const shape = { epsilon: 1, rowCount: 200, normBound: Math.hypot(1.5, 0.5), weightNorm: 5 };
  const svm = { ...shape, loss: huberHinge(0.5) };
  const cases: [words: string, label: string, options: LambdaOptions][] = [
    ["--learner logistic-regression", "buys", { ...shape, columnCount: 6 }],
    ["--learner huber-svm --delta 1e-6", "buys", { ...svm, columnCount: 6, delta: 1e-6 }],
    [
      "--learner huber-svm --perturbation output",
      "buys",
      { ...svm, columnCount: 6, perturbation: "output" },
    ],
    ["--learner logistic-regression", "colour", { ...shape, columnCount: 3, classCount: 3 }],
  ];
  for (const [words, label, options] of cases) {
    const lambda = suggestedLambda(options);
    assertEquals(await trained(words, csv(), label), lambda);
    assertEquals(await trained(words, other, label), lambda);
  }
});

const rows = csv().split("\n");
const replaced = (line: number, text: string): string => rows.with(line, text).join("\n");

const refusals: Record<string, { words?: string; files?: Record<string, string>; says: string }> = {
  "epsilon is 0": { words: TRAIN.replace("20 --lambda", "0 --lambda"), says: "--epsilon" },
  "lambda is 0": { words: TRAIN.replace("--lambda 0.01", "--lambda 0"), says: "--lambda" },
  "lambda and a weight norm are given": {
    words: `${TRAIN} --weight-norm 5`,
    says: "at most one of --lambda and --weight-norm",
  },
  "features that have no bounds are to be scaled to nothing": {
    words: TRAIN.replace(" --norm-bound 1.5", ""),
    files: { "columns.json": JSON.stringify({ features: 2, label: DESCRIPTION.label }) },
    says: "--norm-bound <number>: numbered features have no declared bounds",
  },
  "an additive model is given what linear ones have": {
    words: TRAIN.replace("logistic-regression", "additive"),
    says: "--learner additive has no --lambda, --norm-bound, --intercept",
  },
  "an additive model is to have three classes": {
    words: BARE + " --learner additive",
    files: {
      "columns.json": JSON.stringify({
        columns: DESCRIPTION.columns.slice(0, 2),
        label: { name: "colour", classes: ["red", "green", "blue"] },
      }),
    },
    says: "--learner additive needs columns of a table and two classes",
  },
  "a linear model is to be drawn": {
    words: `${TRAIN} --plot @model.svg`,
    says: "--plot draws additive models",
  },
  "the learner is unknown": {
    words: TRAIN.replace("logistic-regression", "oracle"),
    says: "--learner",
  },
  "there is no such file": { words: TRAIN.replace("@rows.csv", "@other.csv"), says: "--data" },
  "there are no rows": { files: { "rows.csv": rows[0]! + "\n" }, says: "must have rows" },
  "all rows are of one class and that is not allowed": {
    words: `${TRAIN} --no-allow-one-class`,
    files: { "rows.csv": csv().replaceAll(",yes", ",no") },
    says: "at least two classes",
  },
  "a column is absent": {
    files: { "rows.csv": csv().replace("age", "years") },
    says: "must have a column age",
  },
  "the description has one class": {
    files: {
      "columns.json": JSON.stringify({ ...DESCRIPTION, label: { name: "buys", classes: ["no"] } }),
    },
    says: "label.classes",
  },
  "the description is no JSON": { files: { "columns.json": "{" }, says: "must be JSON" },
  "bounds are the wrong way round": {
    files: {
      "columns.json": JSON.stringify({
        ...DESCRIPTION,
        columns: [{ name: "age", type: "number", min: 9, max: 1 }],
      }),
    },
    says: "columns.0",
  },
};

// Each was a refusal that named the row.
Deno.test("dpcheck train takes every row of the data, whatever it holds, and says the same", async () => {
  const odd: readonly string[] = [
    "2,22,,blue,no",
    "4,old,1000,red,yes",
    "1,21,1000,mauve,no",
    "0,20,0,red,perhaps",
    "3,23,3000,red",
    "6,26,6000,blue,",
    "7,Infinity,0,red,yes",
    '"9;1;open',
    "\0\r\u2028",
    "__proto__,1,1,1,1,1,1",
  ];
  const said = new Set<string>();
  for (const row of [rows[5]!, ...odd]) {
    const { result, read, out } = await train(TRAIN, { "rows.csv": replaced(5, row) });
    assertEquals(result, 0, row);
    assertEquals(JSON.parse(read("model.json")!).training.rowCount, 200);
    said.add(out);
  }
  assertEquals(said.size, 1);
});

for (const [when, { words, files, says }] of Object.entries(refusals)) {
  Deno.test(`dpcheck train refuses and writes nothing when ${when}`, async () => {
    const { result, read } = await train(words, files);
    assert(typeof result === "string", `it ended with status ${result}`);
    assertStringIncludes(result, says);
    assertEquals(read("model.json"), undefined);
  });
}

Deno.test("dpcheck train trains on one class, with --allow-one-class and without (item 9)", async () => {
  for (const words of [TRAIN, `${TRAIN} --allow-one-class`]) {
    const { result, read } = await train(words, {
      "rows.csv": csv().replaceAll(",yes", ",no"),
    });
    assertEquals(result, 0);
    assertEquals(JSON.parse(read("model.json")!).classes, ["no", "yes"]);
  }
});

Deno.test("dpcheck predict refuses what is no model, naming the option", async () => {
  const { result } = await run(["predict", "--model", "@model.json", "--data", "@rows.csv"], {
    "model.json": "{}",
    "rows.csv": csv(),
  });
  assertStringIncludes(String(result), "--model");
});

Deno.test("dpcheck train reads Parquet as it reads CSV", async () => {
  const file = new URL("rows.parquet", import.meta.url).pathname;
  const { result, read } = await train(TRAIN.replace("@rows.csv", file));
  assertEquals(result, 0);
  assertEquals(JSON.parse(read("model.json")!).training.rowCount, 40);
});

Deno.test("dpcheck train refuses a Parquet file that is none", async () => {
  const { result } = await train(TRAIN.replace("@rows.csv", "@rows.parquet"), {
    "rows.parquet": "not Parquet",
  });
  assertStringIncludes(String(result), "is no Parquet file");
});
