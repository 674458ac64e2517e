import { assert, assertEquals } from "@std/assert";
import type { Domain } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { addRemoveOne } from "../../../lib/core/relations/relation.ts";
import { ONE_GROUP } from "../../../lib/dp/tables/keys.ts";
import { askedQuantiles } from "../../../lib/dp/tables/quantiles.ts";
import { shippedNamed } from "../../../lib/dp/tables/registry.ts";
import {
  compareWithStated,
  enumerated,
} from "../../../proofs/dp/mechanisms/checks/enumerated_mechanisms.ts";
import { reading, viewOf } from "./tables_of_rows.ts";

const upTo = (max: number): Domain => ({
  rows: {
    type: "record",
    fields: {
      group: { type: "category", values: ["a", "b"] },
      number: { type: "category", values: [0, 1] },
    },
  },
  size: { min: 0, max },
});

/** Quartiles of numbers that are 0 or 1, and their intervals. */
function quartiles(epsilon: number): Mechanism<never, unknown> {
  const bounds = { groups: 1, rows: 1 };
  const view = viewOf({
    schema: {
      columns: { number: { type: "number", lower: 0, upper: 1, step: 1 } },
      unit: "row",
      relation: addRemoveOne,
      budget: { epsilon: 1 },
    },
    bounds,
  });
  const levels = [0.25, 0.75];
  const asked = askedQuantiles(view, {
    keys: ONE_GROUP,
    column: "number",
    bounds,
    levels,
    epsilon,
  });
  return {
    name: "quartiles",
    claim: asked.claim,
    sample: (data, source) =>
      reading(asked, data, source).draw(source).rows
        .flatMap(({ value, lower, upper }) => [value, lower, upper]),
  };
}

// Mutants: rows of one group counted in both; noise of a count for ε·1.01; keys drawn with the chance of one unit more; a tree whose noise is scaled to half.
Deno.test("the exact engine runs questions on all paths of their noise, and they keep their claims", () => {
  for (
    const [name, max] of [["table-keys", 2], ["table-count", 1], ["table-distinct", 2], [
      "quartiles",
      1,
    ]] as const
  ) {
    const epsilon = 4;
    const { report, details, mechanism, datasets } = enumerated({
      name,
      make: (given) =>
        name === "quartiles"
          ? quartiles(given)
          : shippedNamed(name, { epsilon: given, delta: 0.01 }) as Mechanism<never, unknown>,
      domain: upTo(max),
      attained: true,
    }, epsilon);
    assertEquals([name, report.verdict], [name, "holds"]);
    assert(report.epsilon.lower > 0.99 * epsilon, `${name}: ${report.epsilon.lower}`);
    if (name !== "quartiles") compareWithStated(mechanism, details, datasets, 1e-9);
  }
});
