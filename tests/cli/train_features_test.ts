import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runMain } from "./run_main.ts";

interface Outcome {
  /** The exit status, or the message of a refusal. */
  readonly result: number | string;
  readonly printed: readonly string[];
}

/** Runs one command in a folder, `@` standing for it. */
async function run(folder: string, words: string): Promise<Outcome> {
  const { code, out, err } = await runMain(words.replaceAll("@", `${folder}/`).split(" "));
  return { result: code === 0 ? 0 : err, printed: out.trimEnd().split("\n") };
}

/** 6,000 rows of 100,000 features, a few of which are not zero; the sign of the first is the label. */
function lines(): string {
  return Array.from({ length: 6000 }, (_, i) => {
    const label = i % 2 === 0 ? "+1" : "-1";
    return `${label} 1:${i % 2 === 0 ? 0.8 : -0.8} ${2 + i % 90_000}:0.1 100000:0.05`;
  }).join("\n") + "\n";
}

const DESCRIPTION = { features: 100_000, label: { name: "y", classes: ["-1", "+1"] } };
const TRAIN =
  "train --data @rows.libsvm --label y --columns @columns.json --learner logistic-regression " +
  "--epsilon 50 --lambda 0.01 --norm-bound 1 --out @model.json";

Deno.test("dpcheck train, predict and score read lines of 100,000 features", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/rows.libsvm`, lines());
    await Deno.writeTextFile(`${folder}/columns.json`, JSON.stringify(DESCRIPTION));
    assertEquals((await run(folder, TRAIN)).result, 0);
    const model = JSON.parse(await Deno.readTextFile(`${folder}/model.json`));
    assertEquals([model.weights[0].length, model.columns], [100_000, DESCRIPTION]);
    const predict = "predict --model @model.json --data @rows.libsvm --scores --out @predicted.csv";
    assertEquals((await run(folder, predict)).result, 0);
    const predicted = (await Deno.readTextFile(`${folder}/predicted.csv`)).trim().split("\n");
    assertEquals([predicted[0], predicted.length], ["prediction,score of +1", 6001]);
    // What is predicted is the sign of the score.
    for (const line of predicted.slice(1)) {
      const [label, score] = line.split(",");
      assertEquals(label, Number(score) >= 0 ? "+1" : "-1");
    }
    const labels = lines().trim().split("\n").map((line) => line.split(" ")[0]);
    const right = labels.filter((label, i) => predicted[i + 1]!.split(",")[0] === label).length;
    const { result, printed } = await run(folder, "score --model @model.json --data @rows.libsvm");
    assertEquals(result, 0);
    assertEquals(printed[0], `${(100 * right / 6000).toFixed(1)}% of 6000 rows right`);
    assertStringIncludes(printed.at(-1)!, "claim does not cover them");
    // The first feature alone says the label, and noise at ε = 50 on 6,000 rows leaves it standing.
    assert(right > 5000, `${right} of 6000`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("dpcheck predict writes a file only when all rows were read, and no part of one", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/rows.libsvm`, lines().split("\n").slice(0, 400).join("\n"));
    await Deno.writeTextFile(
      `${folder}/columns.json`,
      JSON.stringify({ ...DESCRIPTION, features: 100_000 }),
    );
    assertEquals((await run(folder, TRAIN)).result, 0);
    const { result } = await run(
      folder,
      "predict --model @model.json --data @none.libsvm --out @predicted.csv",
    );
    assertStringIncludes(String(result), "none.libsvm cannot be read");
    assertEquals(
      (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort(),
      ["columns.json", "model.json", "rows.libsvm"],
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("dpcheck score gives the share of every class that has rows", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const rows = Array.from(
      { length: 300 },
      (_, i) => `${i % 100},${i % 100 < 50 ? "low" : "high"}`,
    );
    await Deno.writeTextFile(`${folder}/rows.csv`, ["x,size", ...rows].join("\n"));
    await Deno.writeTextFile(
      `${folder}/columns.json`,
      JSON.stringify({
        columns: [{ name: "x", type: "number", min: 0, max: 99 }],
        label: { name: "size", classes: ["low", "high", "huge"] },
      }),
    );
    const train =
      "train --data @rows.csv --label size --columns @columns.json --learner logistic-regression " +
      "--epsilon 100 --lambda 0.001 --norm-bound 1 --intercept 0.5 --out @model.json";
    assertEquals((await run(folder, train)).result, 0);
    const { printed } = await run(folder, "score --model @model.json --data @rows.csv");
    assertEquals(printed.length, 4);
    assert(/^\d+\.\d% of 300 rows right$/.test(printed[0]!), printed[0]);
    assert(/^ {2}low {2}\d+\.\d% of 150$/.test(printed[1]!), printed[1]);
    assert(/^ {2}high {2}\d+\.\d% of 150$/.test(printed[2]!), printed[2]);
    await run(folder, "score --model @model.json --data @rows.csv --json @score.json");
    const score = JSON.parse(await Deno.readTextFile(`${folder}/score.json`));
    assertEquals(
      score.classes.map((each: { class: string; rows: number }) => [each.class, each.rows]),
      [["low", 150], ["high", 150], ["huge", 0]],
    );
    assertEquals(`${(100 * score.right / score.rows).toFixed(1)}% of 300 rows right`, printed[0]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
