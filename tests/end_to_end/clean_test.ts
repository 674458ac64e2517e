import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";

import { runHere, withFolder } from "./run_cli.ts";

/** Runs `dpcheck clean` in this process; the one line of an error, or the cleaned table. */
async function clean(
  folder: string,
  {
    data = "x1,x2\n3,1\n4,2\n5,1\n",
    predictor = { kind: "linear", weights: [[1, -1]] },
    more = [],
  }: {
    data?: string;
    predictor?: unknown;
    more?: readonly string[];
  },
): Promise<{ status?: number; error?: string; text?: string }> {
  await Deno.writeTextFile(`${folder}/data.csv`, data);
  await Deno.writeTextFile(`${folder}/predictor.json`, JSON.stringify(predictor));
  const words = ["--data", "data.csv", "--predictor", "predictor.json", "--out", "out.csv"]
    .map((word) => /\.(csv|json)$/.test(word) ? `${folder}/${word}` : word);
  const { code, stderr: err } = await runHere(["clean", ...words, "--epsilon", "0", ...more]);
  if (code === 0) return { status: code, text: await Deno.readTextFile(`${folder}/out.csv`) };
  assertEquals(code, 2, err);
  const [, line, rest] = /^dpcheck: (.*)\n([^]*)$/.exec(err)!;
  assertEquals(rest, "");
  return { error: line!.replaceAll(`${folder}/`, "") };
}

function table(text: string): { names: string; rows: number[][] } {
  const [names, ...lines] = text.trimEnd().split("\n");
  return { names: names!, rows: lines.map((line) => line.split(",").map(Number)) };
}

Deno.test("dpcheck clean writes the paper's table when epsilon is 0", async () => {
  await withFolder(async (folder) => {
    const { status, text } = await clean(folder, {});
    assertEquals(status, 0);
    const { names, rows } = table(text!);
    assertEquals(names, "x1,x2");
    [[1, -1], [1, -1], [2, -2]].forEach((row, i) =>
      row.forEach((value, j) => assertAlmostEquals(rows[i]![j]!, value, 1e-12))
    );
  });
});

Deno.test("dpcheck clean spends epsilon and writes the predictor's columns only", async () => {
  await withFolder(async (folder) => {
    const { text } = await clean(folder, {
      data: "secret,x2,x1\n5,1,3\n8,2,4\n7,1,5\n9,3,3\n",
      predictor: { kind: "linear", weights: [[1, -1]], features: ["x1", "x2"] },
      more: ["--confidential", "secret", "--epsilon", "0.25"],
    });
    const { names, rows } = table(text!);
    assertEquals(names, "x1,x2");
    // Outputs 2, 2, 4 and 0 move by a half: its square is epsilon.
    [2, 2, 4, 0].forEach((output, i) =>
      assertAlmostEquals(Math.abs(rows[i]![0]! - rows[i]![1]! - output), 0.5, 1e-9)
    );
    assertEquals(rows.length, 4);
  });
});

Deno.test("dpcheck clean names option and value in one line when the input is bad", async () => {
  const cases: [Parameters<typeof clean>[1], RegExp][] = [
    [{ more: ["--epsilon", "-1"] }, /^--epsilon -1: .*at least 0 and finite/],
    [{ more: ["--epsilon", "much"] }, /^--epsilon much: .*at least 0/],
    [{ more: ["--epsilon", ""] }, /^--epsilon : .*at least 0/],
    [{ predictor: { kind: "tree" } }, /^--predictor predictor\.json: .*kind must be/],
    [
      { predictor: { kind: "linear", weights: [[0, 0]] } },
      /^--predictor predictor\.json: .*1e-100/,
    ],
    [{ predictor: { kind: "linear", weights: [[1]] } }, /^--data data\.csv must have 1 feature/],
    [{ data: "x1,x2\n3,secret\n" }, /^--data data\.csv: column x2 of row 1 must be a finite/],
    [{ data: "x1,x2\n3,\n" }, /^--data data\.csv: column x2 of row 1 must be a finite/],
    [{ more: ["--confidential", "y"] }, /^--confidential y: the data must have a column y/],
    [{ more: ["--out", "/nowhere/out.csv"] }, /^--out \/nowhere\/out\.csv cannot be written/],
    [
      { predictor: { kind: "linear", weights: [[1, -1]], features: ["x1", "x9"] } },
      /^--data data\.csv: the data must have a column x9/,
    ],
    [
      {
        predictor: { kind: "linear", weights: [[1, -1]], confidential: { weights: [[1, 2]] } },
        more: ["--confidential", "x1"],
      },
      /^--confidential x1: the predictor must not describe/,
    ],
  ];
  await withFolder(async (folder) => {
    for (const [given, message] of cases) {
      const { error } = await clean(folder, given);
      assertMatch(error ?? "no error", message);
      assert(!error!.includes("secret"));
    }
  });
});
