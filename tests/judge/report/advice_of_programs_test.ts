import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import { addRemoveOne, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { adviceOn } from "../../../lib/judge/report/advice.ts";
import { eventSentence } from "../../../lib/judge/report/event_sentence.ts";

/** Noise of Laplace's law with this scale. */
function laplace(source: Source, scale: number): number {
  return scale * (Math.log(source.uniform()) - Math.log(source.uniform()));
}

/** A small program that makes one mistake, and what only the advice on it says. Each claims ε = 1. */
interface Shape {
  readonly program: (rows: readonly unknown[], source: Source) => unknown;
  readonly left: readonly unknown[];
  readonly right: readonly unknown[];
  readonly says: string;
}

const none: readonly unknown[] = [], one = [true];

const SHAPES: Readonly<Record<string, Shape>> = {
  "half of the scale": {
    program: (rows, source) => rows.length + laplace(source, 0.5),
    left: none,
    right: one,
    says: "1/2 of the scale",
  },
  "drawn again until in range": {
    program(rows, source): number {
      for (;;) {
        const output = rows.length + laplace(source, 1);
        if (output >= 0) return output;
      }
    },
    left: none,
    right: one,
    says: "drawn again until",
  },
  "no noise": { program: (rows) => rows.length, left: none, right: one, says: "is missing" },
  "keys of the data": {
    program: (rows, source) =>
      Object.fromEntries(rows.map((city) => [String(city), 1 + laplace(source, 1)])),
    left: ["Oslo"],
    right: none,
    says: "only where the data have Oslo",
  },
  "an error on one side": {
    program(rows, source): number {
      if (rows.length === 0) throw new Error("no rows");
      return rows.length + laplace(source, 1);
    },
    left: one,
    right: none,
    says: "fails on empty data",
  },
  "null on one side": {
    program: (rows, source) => rows.length < 2 ? null : rows.length + laplace(source, 1),
    left: [true, true],
    right: one,
    says: "gives null on the right dataset",
  },
  "an answer that is true too often": {
    program: ([row], source) => source.uniform() < 0.9 ? row : !row,
    left: [false],
    right: one,
    says: "may come in 73.1%",
  },
  "a category that is true too often": {
    program: ([row], source) =>
      source.uniform() < 0.9 ? row : source.uniform() < 0.5 ? "red" : "blue",
    left: ["red"],
    right: ["blue"],
    says: "ignores the row more often",
  },
};

async function adviceOnProgram({ program, left, right }: Shape): Promise<string> {
  const relation = left.length === right.length ? replaceOne : addRemoveOne;
  const claim = pure({ epsilon: 1, relation });
  const subject = functionSubject(program, {
    name: "program",
    source: new SeededSource(3),
  });
  const pair = pairOf(relation, { left, right });
  const report = await audit(subject, { claim, pair, maxDraws: 20_000, seed: 3, shrink: false });
  assert(report.verdict === "refuted" && report.event !== null);
  return [eventSentence(report.event), ...adviceOn(report)].join("\n");
}

// Mutants: the end of outputs left out (the advice is a scale that is too small), taken for one of an exponential tail, or where values
// were clamped; a threshold "further out" that is the same one; booleans as 1 and 0.
Deno.test("adviceOn() says of each of these programs what is wrong with it, and of no other", async () => {
  const said = new Map<string, string>();
  for (const [name, shape] of Object.entries(SHAPES)) said.set(name, await adviceOnProgram(shape));
  for (const [name, { says }] of Object.entries(SHAPES)) {
    const saying = [...said].filter(([, text]) => text.includes(says)).map(([of]) => of);
    // An answer of two is a category as well.
    const expected = says.startsWith("ignores")
      ? ["an answer that is true too often", name]
      : [name];
    assertEquals(saying, expected, [...said.values()].join("\n\n"));
  }
  assertMatch(said.get("an answer that is true too often")!, /^The program said (yes|no) in/);
  assertStringIncludes(said.get("a category that is true too often")!, 'The program said "');
  assertEquals([...said.values()].filter((text) => text.includes("Laplace")).length, 1);
});

Deno.test("adviceOn() takes no clamped, exponential or bounded law for one that was drawn again", async () => {
  const programs: Shape["program"][] = [
    (rows, source) => Math.max(0, rows.length + laplace(source, 0.5)),
    (rows, source) => Math.max(-0.8, rows.length + laplace(source, 0.5)),
    (rows, source) => 0.2 * rows.length - 0.5 * Math.log(source.uniform()),
    (rows, source) => source.uniform() + 0.5 * rows.length,
    (rows, source) => Math.round(rows.length + laplace(source, 0.5)),
  ];
  for (const program of programs) {
    const said = await adviceOnProgram({ program, left: none, right: one, says: "" });
    assert(!said.includes("drawn again until"), said);
  }
});
