import { assertEquals, assertRejects } from "@std/assert";
import { numbersInProgram } from "../../../lib/core/text/numbers_in_program.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import type { ProgramSource } from "../../../lib/core/mechanism/continuous_draws.ts";
import { AssertionError } from "../../../lib/judge/testing/assertion_error.ts";
import { assertPrivate } from "../../../lib/judge/testing/assert_private.ts";
import type { RowSpec } from "../../../lib/core/relations/dataset.ts";
import { LONG } from "../../long.ts";

// Mutants: numbers of names; fractions and exponents cut off; signs left out.
Deno.test("numbersInProgram() finds the numbers that are written in a program", () => {
  const text = "x1 = y === .5 || z < -18 || [1_000, 0x1F, 2.5e-3, 0b11].includes(v2); // 77";
  const found = numbersInProgram(text);
  for (const each of [0.5, -0.5, 18, -18, 1000, 31, 0.0025, 3, 77, 18 + 0.5, 18 / 0.5]) {
    assertEquals(found.includes(each), true, `${each}`);
  }
  assertEquals(numbersInProgram("x1 = v2"), []);
});

type Program = (data: number[], source: ProgramSource) => unknown;

const noisy = (data: readonly number[], source: ProgramSource): unknown =>
  source.laplace({ scale: 120 }) as number + data.reduce((sum, x) => sum + x, 0);

// Mutants: numbers that come after all other pairs; only where sizes vary.
Deno.test("an audit finds what a program does for a number that stands in its text", async () => {
  const ages: RowSpec = { type: "integer", min: 0, max: 120 };
  const shares: RowSpec = { type: "number", min: 0, max: 1 };
  const cases: [Program, RowSpec][] = [
    [(data, source) => data.includes(99) ? "special" : noisy(data, source), ages],
    [(data, source) => data.some((age) => age === 18) ? null : noisy(data, source), ages],
    [(data, source) => data[0] === .25 ? [0] : noisy(data, source), shares],
    [(data, source) => data.every((x) => x !== 0.125) && noisy(data, source), shares],
  ];
  for (const [i, [run, rows]] of cases.entries()) {
    if (!LONG && i % 3 > 0) continue;
    const sizes = [{ min: 1, max: 5 }, { min: 3, max: 3 }];
    for (const size of LONG ? sizes : [sizes[i % 2]!]) {
      for (const seed of LONG ? [1, 2] : [1]) {
        await assertRejects(
          () =>
            assertPrivate(run, {
              epsilon: 1,
              relation: replaceOne,
              domain: { rows, size },
              maxDraws: 20_000,
              seed,
            }),
          AssertionError,
        );
      }
    }
  }
});
