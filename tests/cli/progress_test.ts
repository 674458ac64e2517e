import { assertEquals } from "@std/assert";
import { progressText } from "../../cli/progress.ts";

// Mutants: a bound that is rounded to the nearest; ε whatever the claim.
Deno.test("progressText() says how an audit stands, with its bound rounded down", () => {
  const progress = {
    phase: "confirm",
    draws: 123_456,
    seconds: 4.9,
    epsilonLowerBound: 0.09999,
    eValue: 3.21,
  } as const;
  assertEquals(
    progressText(progress, "ρ"),
    "confirm  123,456 draws  ρ ≥ 0.0999  e-value 3.21  4 s",
  );
});
