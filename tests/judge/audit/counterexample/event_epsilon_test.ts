import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { eventEpsilon } from "../../../../lib/judge/audit/counterexample/event_epsilon.ts";
import { eventEpsilonInOrder } from "../../../../lib/judge/audit/counterexample/event_epsilon_in_order.ts";
import { approximate, pure } from "../../../../lib/core/mod.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });
const rate = (hits: number, draws = 1000) => ({ hits, draws });

Deno.test("eventEpsilon() is ln of the Clopper-Pearson bounds' ratio, in either direction", () => {
  // 1000 of 1000 at level .0125: p ≥ .0125^(1/1000); 0 of 1000: q ≤ 1 − .0125^(1/1000).
  const p = 0.0125 ** (1 / 1000);
  const expected = Math.log(p / (1 - p));
  for (const sides of [[1000, 0], [0, 1000]]) {
    const [left, right] = sides.map((hits) => rate(hits)) as [
      ReturnType<typeof rate>,
      ReturnType<typeof rate>,
    ];
    assertAlmostEquals(
      eventEpsilon({ left, right }, { claim, alpha: 0.05, independent: true }),
      expected,
      1e-6,
    );
  }
});

Deno.test("eventEpsilon() takes off the δ of the claim", () => {
  const [left, right] = [rate(500), rate(0)];
  const whole = eventEpsilon({ left, right }, { claim, alpha: 0.05, independent: true });
  const loose = approximate({ epsilon: 1, delta: 0.3, relation: replaceOne });
  const less = eventEpsilon({ left, right }, { claim: loose, alpha: 0.05, independent: true });
  assert(less < whole - 0.5 && less > 0);
  const looser = approximate({ epsilon: 1, delta: 0.6, relation: replaceOne });
  assertEquals(eventEpsilon({ left, right }, { claim: looser, alpha: 0.05, independent: true }), 0);
});

Deno.test("eventEpsilon() is 0 for equal rates and without draws", () => {
  assertEquals(
    eventEpsilon({ left: rate(500), right: rate(500) }, { claim, alpha: 0.05, independent: true }),
    0,
  );
  assertEquals(
    eventEpsilon({ left: rate(0, 0), right: rate(9) }, { claim, alpha: 0.05, independent: true }),
    0,
  );
});

// Mutant: level α in place of α/4, which is wrong in 8% of these.
Deno.test("eventEpsilon() lies above the true ε with probability α at most", () => {
  const source = new SeededSource(17), epsilon = Math.log(3), trials = 4000, alpha = 0.05;
  let wrong = 0;
  for (let k = 0; k < trials; k++) {
    const count = (chance: number): number => {
      let hits = 0;
      for (let i = 0; i < 200; i++) if (source.uniform() < chance) hits++;
      return hits;
    };
    const sides = { left: rate(count(0.6), 200), right: rate(count(0.2), 200) };
    if (eventEpsilon(sides, { claim, alpha, independent: true }) > epsilon) wrong++;
  }
  assert(wrong <= alpha * trials, `${wrong} of ${trials}`);
});

// Mutant: the bound for independent draws whatever the program: 2.02 in place of 1.81.
Deno.test("eventEpsilon() is that of draws with memory unless they are declared independent", () => {
  const sides = { left: rate(500), right: rate(50) };
  const loose = approximate({ epsilon: 1, delta: 0.1, relation: replaceOne });
  for (const one of [claim, loose]) {
    const delta = one.kind === "approximate" ? one.delta : 0;
    assertEquals(
      eventEpsilon(sides, { claim: one, alpha: 0.05, independent: false }),
      eventEpsilonInOrder(sides, { delta, alpha: 0.05 }),
    );
    const [inOrder, independent] = [false, true].map((independent) =>
      eventEpsilon(sides, { claim: one, alpha: 0.05, independent })
    );
    assert(inOrder! < independent! && inOrder! > 0.85 * independent!, `${inOrder} ${independent}`);
  }
});
