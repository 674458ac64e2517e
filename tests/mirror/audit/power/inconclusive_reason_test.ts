import { assert, assertEquals } from "@std/assert";
import {
  inconclusiveReason,
  type RunWithoutRefutation,
} from "../../../../lib/audit/power/inconclusive_reason.ts";
import { pure, zcdp } from "../../../../lib/core/claim.ts";
import { replaceOne } from "../../../../lib/core/relation.ts";

const run: RunWithoutRefutation = {
  claim: pure({ epsilon: 0.5, relation: replaceOne }),
  draws: 1000,
  onlyValue: undefined,
  recorded: undefined,
  detectable: 0.9,
  requirePower: 2,
};
const samples = (...values: number[]) =>
  ({ kind: "block", width: 1, values: Float64Array.from(values) }) as const;

Deno.test("inconclusiveReason() is undefined where a violation of requirePower times the claim would be seen", () => {
  assertEquals(inconclusiveReason(run), undefined);
  assertEquals(inconclusiveReason({ ...run, detectable: 1 }), undefined);
  assertEquals(inconclusiveReason({ ...run, detectable: 40, requirePower: 100 }), undefined);
  assertEquals(inconclusiveReason({ ...run, detectable: null, requirePower: Infinity }), undefined);
});

Deno.test("inconclusiveReason() names what was seen and what is required", () => {
  const reason = inconclusiveReason({ ...run, detectable: 1.01 })!;
  assert(reason.includes("ε = 1.01") && reason.includes("ε = 1 is required"), reason);
  const claim = zcdp({ rho: 0.1, relation: replaceOne });
  assert(inconclusiveReason({ ...run, claim, detectable: 0.3 })!.includes("ρ = 0.3"));
  for (const detectable of [null, Infinity]) {
    assert(inconclusiveReason({ ...run, detectable })!.includes("however large"));
    // Mutant: what is required is infinite too, and an infinite violation is at most that.
    const claim = pure({ epsilon: 1e4, relation: replaceOne });
    assert(inconclusiveReason({ ...run, claim, detectable, requirePower: 1e308 }));
  }
});

Deno.test("inconclusiveReason() names outputs that are null, that are all the same, and none at all", () => {
  assert(inconclusiveReason({ ...run, onlyValue: { value: null } })!.includes("return"));
  assert(inconclusiveReason({ ...run, onlyValue: { value: undefined } })!.includes("return"));
  assert(inconclusiveReason({ ...run, onlyValue: { value: 3 } })!.includes("the same"));
  assert(inconclusiveReason({ ...run, draws: 0, requirePower: Infinity })!.includes("spent"));
});

Deno.test("inconclusiveReason() sees that one recording was given twice, and not that two are alike", () => {
  const left = samples(1, 2, 3), right = samples(1, 2, 3);
  assert(inconclusiveReason({ ...run, recorded: { left, right } })!.includes("same order"));
  for (const other of [samples(1, 3, 2), samples(1, 2), samples(1, 2, 3, 4)]) {
    assertEquals(inconclusiveReason({ ...run, recorded: { left, right: other } }), undefined);
  }
  const values = { kind: "values", values: [[1, "a"], [2, "b"]] } as const;
  const copy = structuredClone(values) as typeof values;
  assert(inconclusiveReason({ ...run, recorded: { left: values, right: copy } }) !== undefined);
});
