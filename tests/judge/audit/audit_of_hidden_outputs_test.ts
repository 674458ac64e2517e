import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { packOutputs } from "../../../lib/judge/audit/kernel/outputs.ts";
import { Thrown } from "../../../lib/judge/audit/kernel/subject.ts";
import { Predictor } from "../../../lib/judge/audit/model/prediction/predictor.ts";
import { seenOutput } from "../../../lib/judge/audit/subjects/seen.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { moduleSubject } from "../../../lib/judge/audit/subjects/thread/module_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { withFolder } from "../../end_to_end/run_cli.ts";
import { LONG } from "../../long.ts";

/** Bodies of functions of `d` and `s`, whose outputs differ in what a message or JSON does not show; and a part of the event. */
const OUTPUTS: readonly (readonly [code: string, event: string])[] = [
  ["throw { row: d[0] }", "output"],
  ['throw new Error("x", { cause: d[0] })', "output.cause"],
  ['throw new Error("x", { cause: new Error(String(d[0])) })', "output.cause.message"],
  ['throw d[0] ? new TypeError("x") : new RangeError("x")', "output"],
  ['throw d[0] ? new (class A extends Error {})("x") : new Error("x")', "output"],
  ['throw Object.assign(new Error("x"), { row: d[0] ? 7 : 8 })', "output.row"],
  ['throw Object.defineProperty(new Error("x"), "row", { value: d[0] ? 7 : 8 })', "output.row"],
  ['throw new DOMException("x", d[0] ? "DataError" : "AbortError")', "output"],
  ['if (d[0]) throw new Error("x"); return new Error("x")', "kind(output)"],
  ["return d[0] ? [,] : [undefined]", "output"],
  ["return Object.assign([s.uniform(), 1], d[0] ? { row: 1 } : {})", "output"],
  ["return d[0] ? { a: 1, b: 2 } : { b: 2, a: 1 }", "form(output)"],
  ["return s.uniform() < 0.5 ? 1 : d[0] ? -0 : 0", "form(output)"],
  ["return [s.uniform(), d[0] ? -0 : 0]", "form(output[1])"],
  ["return new Map([[1, d[0]]])", "output.entries"],
  ["return new Set([d[0]])", "output.values"],
  ["return new Date(d[0] ? 1 : 2)", "output.time"],
  ["return d[0] ? 1n : 1", "form(output)"],
  ["return { x: [d[0] ? null : undefined] }", "form(output.x[0])"],
  ["return d[0] ? Int8Array.of(1) : Uint8Array.of(1)", "form(output)"],
  ['return d[0] ? null : "null"', "output"],
  ["return d[0] ? NaN : Infinity", "output"],
  ["return d[0] ? [s.uniform()] : [s.uniform(), 1]", "output"],
  ["return d[0] ? { a: s.uniform() } : { a: s.uniform(), b: 1 }", "output"],
  ["return new (d[0] ? class A {} : class B {})()", "output"],
];

// Mutants: errors by their messages alone; keys sorted before they are compared; classes lost between threads.
Deno.test("an audit sees what messages and JSON leave out, in this thread and from another", async () => {
  const pair = pairOf(replaceOne, { left: [true], right: [false] });
  const claim = pure({ epsilon: 1, relation: replaceOne });
  const options = { claim, pair, maxDraws: 400, seed: 1, shrink: false } as const;
  await withFolder(async (folder) => {
    const file = `${folder}/outputs.mjs`;
    const coin = "if (s.uniform() < 0.25) return null;";
    await Deno.writeTextFile(
      file,
      OUTPUTS.map(([code], i) => `export const f${i} = (d, s) => { ${coin} ${code}; };`).join("\n"),
    );
    const module = await import(`file://${file}`);
    for (const [i, [code, event]] of OUTPUTS.entries()) {
      const source = new SeededSource(i);
      const own = functionSubject(module[`f${i}`], { name: "it", source });
      const reports = [await audit(own, options)];
      // A thread is started for each, which takes longer than the audit.
      if (LONG || i % 5 === 4) {
        const thread = await moduleSubject(`${file}#f${i}`, { source });
        reports.push(await audit(thread, options));
        await thread.close();
      }
      for (const report of reports) {
        assertEquals(report.verdict, "refuted", code);
        assertStringIncludes(report.event!.description, event, code);
      }
    }
  });
});

// Mutants: lists, records, texts, messages or levels that are read in part.
Deno.test("outputs are read to their end", () => {
  const nested = (levels: number, end: unknown): unknown =>
    levels === 0 ? end : { a: nested(levels - 1, end) };
  const record = (keys: number, end: unknown): Record<string, unknown> => ({
    ...Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, i])),
    end,
  });
  const outputs: readonly ((end: number) => unknown)[] = [
    (end) => record(70, end),
    (end) => record(1500, end),
    (end) => record(1500, `${end}`),
    (end) => new Map(Object.entries(record(70, end))),
    (end) => Object.assign(new Date(0), record(70, end)),
    (end) => [...Array.from({ length: 70 }, String), `${end}`],
    (end) => ({ list: [...Array.from({ length: 70 }, Number), end] }),
    (end) => [...Array.from({ length: 2000 }, Number), end],
    (end) => `${"x".repeat(1001)}${end}`,
    (end) => new Thrown(`${"x".repeat(201)}${end}`),
    (end) => nested(20, end),
  ];
  for (const [i, outputOf] of outputs.entries()) {
    const predictor = new Predictor();
    const [zero, one] = [0, 1].map((end) =>
      packOutputs(Array.from({ length: 8 }, () => seenOutput(outputOf(end))))
    );
    for (let batch = 0; batch < 12; batch++) predictor.observe(zero!, one!);
    assert(predictor.information > 0.3, `${i}`);
  }
});
