import { assertEquals, assertStrictEquals } from "@std/assert";
import { mapMechanism } from "../../../lib/dp/accounting/map_mechanism.ts";
import { pure } from "../../../lib/core/mod.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";

const source = { uniform: () => 0.25 } as Source;
const original: Mechanism<number, number> = {
  name: "sum",
  claim: pure({ epsilon: 1, relation: replaceOne }),
  domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 2 } },
  sample: (data, source) => data.reduce((sum, row) => sum + row, 0) + source.uniform(),
  logDensity: () => 0,
};

// Mutants: handing over logDensity, which would be that of another output; a claim of its own.
Deno.test("mapMechanism() keeps claim and domain and transforms outputs", () => {
  const mapped = mapMechanism(original, {
    name: "text",
    transform: (output, source) => `${output}/${source.uniform()}`,
  });
  assertEquals(mapped.sample([1, 2], source), "3.25/0.25");
  assertStrictEquals(mapped.claim, original.claim);
  assertStrictEquals(mapped.domain, original.domain);
  assertEquals([mapped.name, mapped.logDensity, mapped.distribution], [
    "text",
    undefined,
    undefined,
  ]);
});

// Mutants: what else holds of an output, or the check before a budget is spent, lost on the way.
Deno.test("mapMechanism() keeps the other claims and the check, where there are some", () => {
  const other = pure({ epsilon: 2, relation: replaceOne }), seen: unknown[] = [];
  const checked: Mechanism<number, number> = {
    ...original,
    alsoKeeps: [other],
    check: (data) => void seen.push(data),
  };
  const options = { name: "twice", transform: (output: number) => 2 * output };
  const mapped = mapMechanism(checked, options), bare = mapMechanism(original, options);
  assertStrictEquals(mapped.alsoKeeps, checked.alsoKeeps);
  const data = [0.5];
  mapped.check?.(data);
  assertStrictEquals(seen[0], data);
  assertEquals(["alsoKeeps" in bare, "check" in bare, "domain" in bare], [false, false, true]);
  const { domain: _, ...open } = original;
  assertEquals("domain" in mapMechanism(open, options), false);
});
