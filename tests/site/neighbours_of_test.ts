import { assert, assertEquals, assertThrows } from "@std/assert";
import { seedPairs } from "../../lib/judge/audit/search/seed_pairs.ts";
import { relationNamed } from "../../lib/core/relations/relation_named.ts";
import { type Answers, neighboursOf } from "../../site/browser/neighbours_of.ts";

const first: Answers = {
  given: "rows",
  hidden: "presence",
  moves: "each",
  by: "1",
  often: "once",
  kind: "number",
  min: "0",
  max: "1",
  names: "red, green",
  length: "2",
  count: "any",
  fixed: "3",
};

/** All ways to answer the questions of choice. */
const CHOICES = {
  given: ["rows", "answers"],
  hidden: ["presence", "value"],
  moves: ["each", "together", "one"],
  kind: ["number", "integer", "boolean", "category", "vector"],
  count: ["any", "some", "fixed"],
} as const;

function allAnswers(): Answers[] {
  return Object.entries(CHOICES).reduce<Answers[]>(
    (all, [name, choices]) =>
      all.flatMap((answers) => choices.map((choice) => ({ ...answers, [name]: choice }))),
    [first],
  );
}

// Mutants: a relation without its number; a fixed size where rows come or go.
Deno.test("neighboursOf() ends in a relation, rows and a size of which an audit finds pairs, or says which answer to change", () => {
  let refused = 0;
  for (const answers of allAnswers()) {
    let chosen: ReturnType<typeof neighboursOf>;
    try {
      chosen = neighboursOf(answers);
    } catch (error) {
      assert(error instanceof RangeError && /question [245]/.test(error.message), String(error));
      refused++;
      continue;
    }
    const { rows, size, relation: name } = chosen, relation = relationNamed(name)!;
    const pairs = seedPairs({ domain: { rows, size }, relation });
    assert(pairs.length > 0, JSON.stringify(chosen));
    for (const { left, right } of pairs) assertEquals(relation.violation(left, right), undefined);
  }
  // Answers that are no numbers, and rows that come or go where their number is fixed.
  assertEquals(refused, 2 * 3 * 3 * 3 + 3 * 5);
});

Deno.test("neighboursOf() says what a person in several rows means, and refuses what is no number", () => {
  assert(neighboursOf({ ...first, often: "many" }).notes.some((note) => note.includes("k times")));
  const wrong = [{ min: "2" }, { max: "x" }, { kind: "category", names: "red" }];
  for (const answers of [...wrong, { given: "answers", by: "-1" }]) {
    assertThrows(() => neighboursOf({ ...first, ...answers }), RangeError);
  }
});
