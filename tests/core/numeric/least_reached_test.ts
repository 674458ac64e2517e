import { assert, assertEquals } from "@std/assert";
import { leastReached } from "../../../lib/core/numeric/least_reached.ts";

// Mutants: the lower end; a halving less; powers beyond the most.
Deno.test("leastReached() reaches, and is no more than a halved power of 2 above the least that does", () => {
  for (const least of [1e-3, 0.3, 1, 1.5, 2, 3, 100, 1e6]) {
    for (const halvings of [0, 1, 10, 40]) {
      let asked = 0;
      const found = leastReached((value) => {
        asked++;
        return value >= least;
      }, { halvings })!;
      const power = Math.max(1, 2 ** Math.ceil(Math.log2(least)));
      assert(found >= least && found - least <= power / 2 ** halvings, `${found} for ${least}`);
      assertEquals(asked, Math.log2(power) + 1 + halvings);
    }
  }
});

Deno.test("leastReached() asks for no number above the most", () => {
  const asked: number[] = [];
  const never = (value: number): boolean => {
    asked.push(value);
    return false;
  };
  assertEquals(leastReached(never, { halvings: 5, most: 8 }), undefined);
  assertEquals(asked, [1, 2, 4, 8]);
  assertEquals(leastReached((value) => value >= 8, { halvings: 0, most: 8 }), 8);
});
