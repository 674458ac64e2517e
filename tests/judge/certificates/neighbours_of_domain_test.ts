import { assert, assertEquals } from "@std/assert";
import {
  type CheckedDomain,
  datasetsOf,
  domain,
  neighboursAmong,
  neighboursIn,
} from "../../../lib/judge/certificates/neighbours_of_domain.ts";

// Mutants: a place at the end of a list; a value that is there already; answers that move alone.
Deno.test("neighbours of a domain that are made are those that all pairs of its datasets show", () => {
  const numbers = { type: "integer", min: -1, max: 2 }, size = { min: 0, max: 3 };
  const flags = {
    type: "record",
    fields: { a: { type: "boolean" }, b: { type: "category", values: [1, "x", null] } },
  };
  const changes = ["each", "one", "together"].flatMap((which) =>
    [1, 1.5, 2].map((by) => `change-${which}-by-${by}`)
  );
  const cases: [rows: unknown, relations: string[]][] = [
    [numbers, ["replace-one", "add-remove-one", ...changes]],
    [{ type: "category", values: [0, 0.1, 1.1, 2] }, changes],
    [{ type: "vector", length: 2, of: { type: "boolean" } }, ["replace-one", "add-remove-one"]],
    [flags, ["replace-one", "add-remove-one"]],
  ];
  for (const [rows, relations] of cases) {
    const read: CheckedDomain = domain({ rows, size }, "domain");
    for (const relation of relations) {
      const found = neighboursIn(read, relation);
      assert(found.length > 0);
      assertEquals(found, neighboursAmong(datasetsOf(read), relation), relation);
    }
  }
});
