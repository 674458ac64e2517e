import { assert, assertEquals, assertRejects } from "@std/assert";
import type { AuditOptions } from "../../../lib/judge/audit/options.ts";
import type { AuditReport } from "../../../lib/judge/audit/report.ts";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { type DatasetRule, requiredRules } from "../../../lib/judge/audit/search/dataset_rules.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import type { Dataset, Domain, RowSpec } from "../../../lib/core/relations/dataset.ts";
import { addRemoveOne, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { dailyOf } from "../../long.ts";

const label: RowSpec = { type: "category", values: ["no", "yes", "may be"] };
const records: RowSpec = {
  type: "record",
  fields: { age: { type: "number", min: 0, max: 9 }, label },
};
const vectors: RowSpec = { type: "vector", length: 3, of: { type: "integer", min: 0, max: 2 } };

/** Each rule with the rows that it is about, and what keeps it, written out. */
const cases: readonly (readonly [DatasetRule, RowSpec, (data: Dataset) => boolean])[] = [
  ["rows >= 3", records, (data) => data.length >= 3],
  ["rows <= 4", records, (data) => data.length <= 4],
  ["every value of label", records, (data) => distinctLabels(data).length === 3],
  ["every value", label, (data) => new Set(data).size === 3],
  [
    "every value of 1 2 times",
    vectors,
    (data) =>
      [0, 1, 2].every((value) =>
        (data as number[][]).filter((row) => row[1] === value).length >= 2
      ),
  ],
  ["every value", { type: "boolean" }, (data) => data.includes(true) && data.includes(false)],
  [
    "2 rows with label = yes",
    records,
    (data) => (data as { label: string }[]).filter((row) => row.label === "yes").length >= 2,
  ],
  ["1 row with 2 = 1", vectors, (data) => (data as number[][]).some((row) => row[2] === 1)],
  [
    "distinct rows",
    { type: "integer", min: 0, max: 30 },
    (data) => new Set(data).size === data.length,
  ],
  [
    function short(data): boolean {
      return data.length < 5;
    },
    records,
    (data) => data.length < 5,
  ],
];

function distinctLabels(data: Dataset): unknown[] {
  return [...new Set((data as { label: string }[]).map((row) => row.label))];
}

/** The datasets that an audit asks about, and its report, of a program that tells some of them. */
async function asked(
  options: AuditOptions & { readonly domain: Domain; readonly seed: number },
): Promise<{ seen: Dataset[]; report: AuditReport }> {
  const seen = new Map<string, Dataset>();
  const leak = (data: Dataset, source: { uniform(): number }): string => {
    const text = JSON.stringify(data);
    seen.set(text, data);
    return text.length % 4 > 0 || source.uniform() < 0.5 ? "nothing" : text;
  };
  const source = new SeededSource(options.seed);
  const report = await audit(functionSubject(leak as never, { name: "leak", source }), {
    maxDraws: 3000,
    ...options,
  });
  return { seen: [...seen.values()], report };
}

// Mutants: rules checked on one side; a pair that is repaired on one side; repaired pairs of another size; shrinking that forgets
// rules; datasets that are screened whatever is required.
Deno.test("every dataset that an audit asks about keeps what is required, and some are found", async () => {
  let seed = 2302;
  for (const [place, [rule, rows, keeps]] of cases.entries()) {
    for (const relation of dailyOf([replaceOne, addRemoveOne], (_, k) => k === place % 2)) {
      for (const size of [{ min: seed % 4, max: 8 }]) {
        const { seen, report } = await asked({
          claim: pure({ epsilon: 0.5, relation }),
          domain: { rows, size },
          require: [rule],
          seed: seed++,
        });
        assert(seen.length > 1 && report.pair !== null, `${rule} ${relation.name}`);
        for (const data of seen) {
          assert(keeps(data) && data.length >= size.min && data.length <= size.max, `${rule}`);
        }
      }
    }
  }
});

Deno.test("rules are about datasets with the public rows before them", () => {
  const required = requiredRules(["every value", "rows >= 4"], {
    rows: label,
    before: ["no", "yes"],
  });
  assert(
    required.keeps(["may be", "may be"]) && !required.keeps(["may be"]) &&
      !required.keeps(["no", "no"]),
  );
  assertEquals(required.missing([]), ["may be", "no"]);
  assertEquals(required.texts, ["every value", "rows >= 4"]);
});

Deno.test("a function that throws is a rule that is not kept", () => {
  const required = requiredRules([(data) => (data[0] as { x: number }).x > 0], { rows: label });
  assert(!required.keeps([]) && required.texts.length === 1);
});

Deno.test("rules that are none are refused by name", async () => {
  const wrong: readonly (readonly [string, RowSpec])[] = [
    ["row >= 3", records],
    ["rows > 3", records],
    ["every value of colour", records],
    ["every value of age", records],
    ["every value of 3", vectors],
    ["every value", vectors],
    ["2 rows with colour = red", records],
    ["", records],
  ];
  for (const [rule, rows] of wrong) {
    await assertRejects(
      () =>
        asked({
          claim: pure({ epsilon: 1, relation: replaceOne }),
          domain: { rows, size: { min: 0, max: 5 } },
          require: [rule],
          seed: 1,
        }),
      RangeError,
      "require must",
    );
  }
});

const claim = pure({ epsilon: 1, relation: replaceOne });
const domain: Domain = { rows: records, size: { min: 0, max: 6 } };

/** Fails where a label is missing; else a count with noise of this scale. */
function training(scale: number): Parameters<typeof functionSubject>[0] {
  return (data, source) => {
    if (distinctLabels(data as Dataset).length < 3) throw new Error("a class is missing");
    const yes = (data as { label: string }[]).filter((row) => row.label === "yes").length;
    return yes + scale * Math.log(source.uniform() / source.uniform());
  };
}

// Mutants: rules that the search does not read; a counterexample that breaks them.
Deno.test("audit() with a required rule tries no other datasets, and finds what leaks on those", async () => {
  const verdict = async (scale: number, rules?: readonly DatasetRule[]): Promise<unknown> => {
    const subject = functionSubject(training(scale), {
      name: "training",
      source: new SeededSource(5),
    });
    const report = await audit(subject, {
      claim,
      domain,
      seed: 5,
      maxDraws: 8000,
      requirePower: Infinity,
      ...(rules === undefined ? {} : { require: rules }),
    });
    if (rules !== undefined && report.pair !== null) {
      assertEquals(distinctLabels(report.pair.left as Dataset).length, 3);
      assertEquals(distinctLabels(report.pair.right as Dataset).length, 3);
      assertEquals(report.require?.length, 1);
    }
    return report.verdict;
  };
  // Nearly every pair that is tried lacks a label.
  assertEquals(await verdict(1), "failed");
  assertEquals(await verdict(1, ["every value of label"]), "not-refuted");
  assertEquals(await verdict(1, [(data) => distinctLabels(data).length === 3]), "not-refuted");
  assertEquals(await verdict(0.2, ["every value of label"]), "refuted");
});

Deno.test("audit() refuses rules that no pair keeps, and a pair that does not keep them", async () => {
  const subject = functionSubject(training(1), { name: "training", source: new SeededSource(5) });
  const options = { claim, domain, seed: 1, maxDraws: 100 };
  const said = async (more: object): Promise<string> =>
    await audit(subject, { ...options, ...more }).then(() => "", (error: Error) => error.message);
  assert((await said({ require: ["rows >= 7"] })).includes("that keep rows >= 7"));
  const row = { age: 1, label: "no" };
  const pair = pairOf(replaceOne, { left: [row], right: [{ ...row, age: 2 }] });
  assert((await said({ pair, require: ["every value of label"] })).includes("pair must keep"));
  assert((await said({ require: "rows >= 1" })).includes("require must be an array"));
});
