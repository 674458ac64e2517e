import { assertEquals, assertThrows } from "@std/assert";
import { OutputCheck } from "../../../../lib/audit/drawing/output_check.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { SubjectFailure, Thrown } from "../../../../lib/audit/subjects/subject.ts";

const values = (...all: unknown[]): Outputs => ({ kind: "values", values: all });
const block = (width: number, ...all: number[]): Outputs => ({
  kind: "block",
  width,
  values: Float64Array.from(all),
});

Deno.test("OutputCheck.look() throws where outputs are not as many as were asked for", () => {
  const cases: [Outputs | undefined, number, number][] = [
    [values(1, 2), 3, 2],
    [values(1, 2, 3), 2, 3],
    [block(2, 1, 2), 2, 1],
    [block(2, 1, 2, 3), 2, 1.5],
    [block(1, 1, 2, 3), 2, 3],
    [undefined, 1, 0],
    [{ kind: "other" } as unknown as Outputs, 1, 0],
  ];
  for (const [outputs, count, returned] of cases) {
    assertThrows(
      () => new OutputCheck("f").look(outputs as Outputs, count),
      SubjectFailure,
      `f returned ${returned} outputs where ${count} were asked for`,
    );
  }
  const check = new OutputCheck("f");
  check.look(values(), 0);
  check.look(values(1, 2), 2);
  check.look(block(2, 1, 2, 3, 4), 2);
});

Deno.test("OutputCheck.onlyValue is the value of all outputs until two differ", () => {
  for (
    const [same, other] of [
      [[values(7), values(7, 7)], values(7, 8)],
      [[values(null)], values(undefined)],
      [[values(NaN), values(NaN)], values(0)],
      [[values([1, 2])], values([1, 3])],
      [[block(2, 1, 2, 1, 2), block(2, 1, 2)], block(2, 1, 2, 2, 1)],
      [[block(1, 5, 5)], block(1, 5, 5, 6)],
    ] as const
  ) {
    const check = new OutputCheck("f");
    assertEquals(check.onlyValue, undefined);
    const first = same[0]!;
    const value = first.kind === "block" ? first.values.slice(0, first.width) : first.values[0];
    const look = (outputs: Outputs): void =>
      check.look(
        outputs,
        outputs.kind === "block" ? outputs.values.length / outputs.width : outputs.values.length,
      );
    for (const outputs of same) {
      look(outputs);
      assertEquals(check.onlyValue, { value });
    }
    look(other);
    assertEquals(check.onlyValue, undefined);
    // It stays so.
    look(first);
    assertEquals(check.onlyValue, undefined);
  }
});

Deno.test("OutputCheck.onlyErrors is the last message until an output is no error", () => {
  const check = new OutputCheck("f");
  assertEquals(check.onlyErrors, undefined);
  check.look(values(new Thrown("a"), new Thrown("b")), 2);
  assertEquals(check.onlyErrors, "b");
  check.look(values(), 0);
  assertEquals(check.onlyErrors, "b");
  check.look(values(new Thrown("c"), 1, new Thrown("d")), 3);
  assertEquals(check.onlyErrors, undefined);
  check.look(values(new Thrown("e")), 1);
  assertEquals(check.onlyErrors, undefined);
  const blocks = new OutputCheck("f");
  blocks.look(block(1), 0);
  blocks.look(values(new Thrown("a")), 1);
  assertEquals(blocks.onlyErrors, "a");
  blocks.look(block(1, 5), 1);
  assertEquals(blocks.onlyErrors, undefined);
});
