import { assertEquals, assertMatch } from "@std/assert";
import { progressText } from "../../cli/output/progress.ts";

// Mutants: a bound that is rounded to the nearest; ε whatever the claim; the other limit of the two.
Deno.test("progressText() says how an audit stands, with its bound rounded down", () => {
  const progress = {
    phase: "confirm",
    draws: 123_456,
    seconds: 4.9,
    maxDraws: Infinity,
    maxSeconds: 20,
    epsilonLowerBound: 0.09999,
    eValue: 3.21,
  } as const;
  assertEquals(
    progressText(progress, "ρ"),
    "confirm  123,456 draws  ρ ≥ 0.0999  e-value 3.21  4 of 20 s, about 16 s left",
  );
  assertEquals(
    progressText({ ...progress, maxDraws: 1_234_560, maxSeconds: Infinity }, "ε"),
    "confirm  123,456 of 1,234,560 draws  ε ≥ 0.0999  e-value 3.21  4 s, about 45 s left",
  );
  assertMatch(
    progressText({ ...progress, maxSeconds: 3600, maxDraws: 1e9 }, "ε"),
    / of 3600 s, about 60 min left$/,
  );
  assertMatch(progressText({ ...progress, maxSeconds: Infinity }, "ε"), / {2}4 s$/);
});
