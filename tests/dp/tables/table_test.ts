import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { openBudget } from "../../../lib/dp/accounting/budget/budget.ts";
import { describeClaim } from "../../../lib/core/claims/claim.ts";
import { pure } from "../../../lib/core/claims/claim_of_amounts.ts";
import { addRemoveOne, changeEach, replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  csvRows,
  personRelation,
  type Row,
  type Table,
  table,
  type TableSchema,
} from "../../../lib/dp/tables/mod.ts";

const columns = {
  sex: { type: "category", values: ["f", "m"] },
  age: { type: "number", lower: 0, upper: 100 },
  name: { type: "text" },
} as const;
const rows = [
  { sex: "f", age: 31, name: "a" },
  { sex: "m", age: "44", name: "b" },
  { sex: "f", age: 158, name: "a" },
  { sex: "x", age: null },
  null,
] as Record<string, unknown>[];
const schema: TableSchema = {
  columns,
  unit: "row",
  relation: addRemoveOne,
  budget: { epsilon: 1e10 },
};

/** The answers of a question that costs so much that there is next to no noise. */
const answers = (asked: Promise<{ rows: readonly { value: number }[] }>): Promise<number[]> =>
  asked.then(({ rows }) => rows.map(({ value }) => Math.round(100 * value) / 100));
const plenty = { epsilon: 1e8 };

Deno.test("table() answers what was asked, of cells within bounds, and leaves out what is missing or odd", async () => {
  const survey = table(rows, schema), bySex = survey.groupBy("sex");
  assertEquals(await answers(survey.count(plenty)), [5]);
  assertEquals(await answers(bySex.count(plenty)), [2, 1]);
  assertEquals(await answers(bySex.sum("age", plenty)), [131, 44]);
  assertEquals(await answers(bySex.mean("age", plenty)), [65.5, 44]);
  assertEquals(await answers(bySex.variance("age", plenty)), [1190.25, 0]);
  assertEquals(await answers(survey.histogram("sex", plenty)), [2, 1]);
  assertEquals(await answers(survey.histogram("age", { edges: [0, 31, 50, 100], ...plenty })), [
    0,
    2,
    1,
  ]);
  assertEquals(
    await answers(survey.groupBy(["sex", "name"], { keys: { name: ["a", "b"] } }).count(plenty)),
    [2, 0, 0, 1],
  );
  const whole = { ...columns, age: { ...columns.age, missing: 50 } };
  const replaced = table(rows, {
    ...schema,
    columns: whole,
    relation: replaceOne,
    rowCountIsPublic: true,
  });
  assertEquals(await answers(replaced.mean("age", plenty)), [55]);
  const persons = table(rows, { ...schema, unit: { person: "name" } });
  assertEquals(await answers(persons.boundContributions({ groups: 1, rows: 1 }).count(plenty)), [
    2,
  ]);
  assertEquals(await answers(persons.boundContributions({ groups: 1, rows: 9 }).count(plenty)), [
    3,
  ]);
});

Deno.test("table() reads rows from arrays, functions and streams, and whatever a row is, it is one", async () => {
  async function* stream(): AsyncGenerator<Row> {
    for (const row of rows) yield await row!;
  }
  for (const source of [rows, () => stream(), new Set(rows), () => rows.values()]) {
    const survey = table(source, schema);
    for (let i = 0; i < 2; i++) {
      assertEquals(await answers(survey.groupBy("sex").count(plenty)), [2, 1]);
    }
  }
  // An array in place of a row has none of the columns, and is no list of rows.
  assertEquals(await answers(table([...rows, rows] as Row[], schema).count(plenty)), [6]);
  const once = table(stream(), schema);
  assertEquals(await answers(once.count(plenty)), [5]);
  await assertRejects(
    () => once.count(plenty),
    RangeError,
    "rows must be an array, or a function that opens them again",
  );
});

Deno.test("questions spend from one budget, which tables and releases may share, and are refused before rows are read", async () => {
  const budget = openBudget(pure({ epsilon: "1", relation: addRemoveOne }));
  let read = 0;
  const counted = () => (read++, rows);
  const [one, other] = [
    table(counted, { ...schema, budget }),
    table(counted, { ...schema, budget }),
  ];
  await one.groupBy("sex").mean("age", { epsilon: "0.4" });
  await other.count({ epsilon: "0.6" });
  assertEquals([read, budget.ledger.length, describeClaim(budget.remaining)], [2, 2, "0-DP"]);
  await assertRejects(
    () => one.count({ epsilon: 0.1 }),
    RangeError,
    "Cannot spend: the claim must fit what is left of the budget",
  );
  assertEquals(read, 2);
  // Two at once: both are affordable when they begin, one when it draws.
  const last = table(rows, { ...schema, budget: { epsilon: 1 } });
  const both = await Promise.allSettled([
    last.count({ epsilon: 0.7 }),
    last.count({ epsilon: 0.7 }),
  ]);
  assertEquals(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  assertEquals(last.budget.ledger.length, 1);
});

// Each answered as if all rows lacked the column, and was paid for.
Deno.test("a column that a file has not is refused before anything is paid, and no name of the file is shown but a near one", async () => {
  const file = await Deno.makeTempFile();
  try {
    // The first line of a file without names is a row.
    await Deno.writeTextFile(file, "sex,agee,name\nf,31,secret\n");
    for (const source of [csvRows(file), () => csvRows(file)]) {
      const survey = table(source, schema);
      const questions = [
        () => survey.mean("age", plenty),
        () => survey.groupBy("sex").count(plenty),
      ];
      for (const ask of questions) {
        const error = await assertRejects(ask, RangeError);
        assertEquals(
          error.message,
          "Cannot read rows: columns of the schema must be in the file: current value is age; did you mean agee?",
        );
      }
      assertEquals(survey.budget.ledger, []);
    }
    const { sex, name } = columns;
    const persons = table(csvRows(file), { ...schema, columns: { sex }, unit: { person: "who" } });
    await assertRejects(
      () => persons.boundContributions({ groups: 1, rows: 1 }).count(plenty),
      RangeError,
      "current value is who",
    );
    const part = table(csvRows(file), { ...schema, columns: { sex, name } });
    const joined = part.join([{ sex: "f", age: 3 }], { on: "sex" });
    assertEquals(await answers(joined.groupBy("age").count(plenty)), [1]);
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("refusals name the option, the rule and what to write", async () => {
  const survey = table(rows, schema);
  const wrong: readonly (readonly [call: (survey: Table) => unknown, words: string])[] = [
    [(t) => t.count({} as never), "epsilon or rho must be given, as in { epsilon: 0.5 }"],
    [(t) => t.count({ epsilon: 1, rho: 1 } as never), "epsilon or rho must be given"],
    [(t) => t.count({ epsilon: -1 }), "epsilon must be positive"],
    [(t) => t.count({ epsilon: 1e-13 }), "scale must be"],
    [(t) => t.sum("sex", plenty), '{ type: "number", lower, upper }'],
    [
      (t) => t.sum("height", plenty),
      "column must be one of those declared, sex, age, name: current value is height",
    ],
    [(t) => t.groupBy("name"), 'selectKeys("name", …)'],
    [(t) => t.groupBy([]), "columns must be at least one"],
    [(t) => t.groupBy("sex", { keys: { sex: ["f", "f"] } }), "all different"],
    [
      (t) => t.histogram("age", plenty),
      "edges must be given for a column of numbers or days, as in { edges: [0,100] }",
    ],
    [
      (t) => t.histogram("age", { ...plenty, edges: [3, 3] }),
      "edges must be at least two finite numbers that rise",
    ],
    [
      (t) => t.boundContributions({ groups: 1, rows: 1 }),
      "unit must be { person: the name of a column }",
    ],
    [
      () => table(rows, { ...schema, unit: { person: "name" } }).count(plenty),
      "table.boundContributions({ groups: 1, rows: 1 })",
    ],
    [
      () =>
        table(rows, { ...schema, unit: { person: "name" } }).boundContributions({
          groups: 0,
          rows: 1,
        }),
      "groups must be an integer from 1",
    ],
    [
      () => table(rows, { ...schema, relation: changeEach({ by: 1 }) }),
      "relation must be addRemoveOne or replaceOne",
    ],
    [() => table(rows, { ...schema, rowCountIsPublic: true }), "rowCountIsPublic must be false"],
    [() => table(rows, { ...schema, budget: {} as never }), "epsilon must be positive"],
    [
      () =>
        table(rows, { ...schema, budget: openBudget(pure({ epsilon: 1, relation: replaceOne })) }),
      "budget must be about the relation of the table, add-remove-one",
    ],
    [
      () => table(rows, { ...schema, columns: { age: { type: "number", lower: 1, upper: 0 } } }),
      "bounds must be finite, the lower below the upper",
    ],
    [
      () => table(rows, { ...schema, columns: { age: { ...columns.age, missing: 101 } } }),
      "missing must be within the bounds",
    ],
    [
      () => table(rows, { ...schema, columns: { sex: { type: "category", values: [1, "1"] } } }),
      "categories must be at least 1 and all different",
    ],
    [
      () => table(rows, { ...schema, columns: { sex: { type: "enum" } as never } }),
      'type must be "number", "date", "category" or "text"',
    ],
    // What nobody reads was left out, and the answer paid for.
    [(t) => t.count({ epsilon: 1, delta: 1e-6 } as never), "epsilon, rho: current value is delta"],
    [(t) => t.count({ epsilonn: 1 } as never), "did you mean epsilon?"],
    [(t) => t.quantiles("age", { ...plenty, level: 0.5 } as never), "levels must be an array"],
    [
      (t) => t.quantiles("age", { ...plenty, levels: [0.5], levles: [1] } as never),
      "did you mean levels?",
    ],
    [(t) => t.distinct("name", { ...plenty, value: 2 } as never), "did you mean values?"],
    [(t) => t.groupBy("name", { key: { name: ["a"] } } as never), "did you mean keys?"],
    [(t) => t.groupBy("name", { keys: { nam: ["a"] } } as never), "did you mean name?"],
    [
      (t) => t.histogram("age", { ...plenty, edges: [0, 1], bins: 3 } as never),
      "did you mean edges?",
    ],
    [
      (t) => t.selectKeys("name", { epsilon: 1, delta: 0.1, rule: "optimal", rho: 1 } as never),
      "current value is rho",
    ],
    [(t) => t.join([], { on: "sex", column: {} } as never), "did you mean columns?"],
    [() => table(rows, { ...schema, colums: columns } as never), "did you mean columns?"],
    [() => table(rows, { ...schema, unit: { name: "name" } as never }), "did you mean person?"],
    [
      () => table(rows, { ...schema, budget: { epsilon: 1, delt: 0.1 } as never }),
      "did you mean delta?",
    ],
    [
      () => table(rows, { ...schema, budget: { rho: 1, delta: 0.1 } as never }),
      "rho: current value is delta",
    ],
    [
      () =>
        table(rows, { ...schema, columns: { age: { type: "number", min: 0, max: 1 } as never } }),
      "did you mean lower?",
    ],
    [
      () => table(rows, { ...schema, columns: { sex: { type: "category", value: [] } as never } }),
      "did you mean values?",
    ],
    [
      () => table(rows, { ...schema, columns: { name: { type: "text", values: [] } as never } }),
      "among type: current value is values",
    ],
    // Bounds of which no question could be answered, or one and not another.
    ...[[0, 1e-300], [1, 1e300], [-1e308, 0], [0, 5e-324]].map(([lower, upper]) =>
      [
        () =>
          table(rows, {
            ...schema,
            columns: { age: { type: "number", lower: lower!, upper: upper! } },
          }),
        "bounds must be within 2^400 of 0 and at least 2^-400 apart",
      ] as const
    ),
    [
      () => table(7 as never, schema).count(plenty),
      "rows must be an array, an iterable or a function",
    ],
  ];
  for (const [call, words] of wrong) {
    const error = await assertRejects(async () => await call(survey), Error);
    assertStringIncludes(error.message, "Cannot ");
    assertStringIncludes(error.message, words);
    assertEquals(survey.budget.ledger, []);
  }
});

Deno.test("every question has an answer at the widest and the narrowest bounds", async () => {
  for (
    const [lower, upper] of [
      [-(2 ** 400), 2 ** 400],
      [0, 2 ** -400],
      [2 ** 399, 2 ** 400],
      [1, 1 + 2 ** -52],
    ] as const
  ) {
    for (const cost of [{ epsilon: 1 }, { rho: 1 }]) {
      const survey = table([{ age: lower }, { age: upper }], {
        ...schema,
        columns: { age: { type: "number", lower, upper } },
        budget: "rho" in cost ? { rho: 9 } : { epsilon: 9 },
      });
      for (
        const asked of [
          await survey.sum("age", cost),
          await survey.mean("age", cost),
          await survey.variance("age", cost),
          await survey.quantiles("age", { ...cost, levels: [0.2, 0.6] }),
        ]
      ) {
        assert(asked.rows.every(({ value }) => Number.isFinite(value)), asked.name);
      }
    }
  }
});

Deno.test("answers are text, JSON and CSV, with the claim of all of them", async () => {
  const survey = table(rows, {
    ...schema,
    columns: { ...columns, sex: { type: "category", values: ["f", 'm, "other"'] } },
  });
  const result = await survey.groupBy("sex").count(plenty);
  assertEquals(
    String(result),
    [
      "sex         count  95% interval",
      "f               2  2 to 2",
      'm, "other"      0  0 to 0',
      "100000000-DP (add-remove-one)",
    ].join("\n"),
  );
  assertEquals(result.toCSV(), 'sex,count,lower,upper\nf,2,2,2\n"m, ""other""",0,0,0\n');
  assertEquals(JSON.parse(JSON.stringify(result)), {
    name: "count",
    question: "count by sex",
    columns: ["sex"],
    rows: [{ key: ["f"], value: 2, lower: 2, upper: 2 }, {
      key: ['m, "other"'],
      value: 0,
      lower: 0,
      upper: 0,
    }],
    claim: { kind: "pure", epsilon: 1e8, relation: "add-remove-one" },
  });
});

Deno.test("answers are drawn with a dot each at its place, before a bar for its interval, and their texts quoted", async () => {
  const survey = table(rows, {
    ...schema,
    columns: { ...columns, sex: { type: "category", values: ["f", '<m> & "other"'] } },
  });
  const svg = (await survey.groupBy("sex").count({ epsilon: 1 })).toSVG();
  const numbers = (of: RegExp): number[] => [...svg.matchAll(of)].map(([, at]) => Number(at));
  const dots = numbers(/<circle cx="([\d.]+)"/g);
  const ends = [
    numbers(/class="interval" d="M([\d.]+)/g),
    numbers(/class="interval" d="[^"]+H([\d.]+)"/g),
  ];
  assertEquals(dots.length, 2);
  dots.forEach((dot, i) => assertAlmostEquals(dot, (ends[0]![i]! + ends[1]![i]!) / 2, 0.11));
  assert(ends[0]!.every((from, i) => from < dots[i]!));
  // Counts have bars from 0, where the axis begins.
  assert(svg.includes(">0</text>") && numbers(/class="bar" x="([\d.]+)"/g).length === 2);
  assert(svg.indexOf('class="interval"') < svg.indexOf("<circle"));
  assertStringIncludes(svg, ">&lt;m> &amp; &quot;other&quot;<");
  assertStringIncludes(
    (await survey.groupBy("name", { keys: { name: [] } }).count(plenty)).toSVG(),
    "count by name",
  );
});

Deno.test("top() gives the largest groups in their order", async () => {
  const survey = table(rows, schema),
    { rows: largest } = await survey.groupBy("sex").top(1, plenty);
  assertEquals(largest.map(({ key, value }) => [key[0], value]), [["f", 2]]);
  assertEquals((await survey.groupBy("sex").top(9, plenty)).rows.length, 2);
  await assertRejects(
    () => survey.groupBy("sex").top(0, plenty),
    RangeError,
    "howMany must be an integer from 1",
  );
});

Deno.test("personRelation() joins tables in which one person differs, and no others", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => ({ name, x: 1 }));
  const added = personRelation({ column: "name", relation: addRemoveOne });
  const replaced = personRelation({ column: "name", relation: replaceOne });
  const joined = (relation: typeof added, left: unknown[], right: unknown[]): boolean =>
    relation.violation(left, right) === undefined && relation.violation(right, left) === undefined;
  assert(joined(added, [a, b, a], [b]));
  assert(!joined(added, [a, b], [c]));
  assert(!joined(added, [a, b], [b, { name: "b", x: 2 }]));
  assert(!joined(added, [a], [a]));
  assert(!joined(added, [a, {}], []));
  assert(joined(replaced, [a, b, a], [c, b]));
  assert(joined(replaced, [a, b, a], [b, a]));
  assert(!joined(replaced, [a, b], [b]));
  assert(!joined(replaced, [a, b], [c, { name: "d" }]));
  assert(!joined(replaced, [a, {}], [c]));
  assertThrows(
    () => personRelation({ column: "name", relation: changeEach({ by: 1 }) }),
    RangeError,
  );
});

Deno.test("join() adds the columns of a public table to each row that it has one for, and to no other", async () => {
  const people = ["f", "m", "f", "x", null].map((sex, i) => ({
    sex,
    age: 10 * i,
    name: `${i % 2}`,
  }));
  const sexes = [
    { sex: "f", long: "female", weight: 2 },
    { sex: "m", long: "male", weight: 5 },
  ];
  const survey = table(people, { ...schema, unit: { person: "name" } });
  const long = survey.join(sexes, { on: "sex" }).boundContributions({ groups: 1, rows: 2 });
  const counts = await long.groupBy("long").count(plenty);
  assertEquals(counts.rows.map(({ key, value }) => [...key, value]), [["female", 2], ["male", 1]]);
  const bounded = long.boundContributions({ groups: 1, rows: 9 });
  assertAlmostEquals((await bounded.sum("weight", plenty)).rows[0]!.value, 2 + 5 + 2, 1e-4);
  const declared = survey.join(sexes, {
    on: "sex",
    columns: { weight: { type: "category", values: [2, 5, 7] } },
  });
  assertEquals(
    (await declared.boundContributions({ groups: 3, rows: 9 }).groupBy("weight").count(plenty))
      .rows.map(({ value }) => value),
    [2, 1, 0],
  );
  for (
    const [rows, options, words] of [
      [[...sexes, sexes[0]!], { on: "sex" }, "each value once: current value is f"],
      [[{ long: "?" }], { on: "sex" }, "current value is missing"],
      // A public table that named persons could make one of many, or many of one.
      [[{ sex: "f", name: "0" }], { on: "sex" }, "current value is name"],
      [[{ sex: "f", age: 3 }], { on: "sex" }, "current value is age"],
      [sexes, { on: "height" }, "column must be one of those declared"],
      [sexes, { on: "sex", columns: { height: { type: "text" } } }, "current value is height"],
    ] as const
  ) {
    assertThrows(() => survey.join(rows, options), RangeError, words);
  }
});
