import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  eventEpsilonInOrder,
  logWealth,
} from "../../../../lib/judge/audit/counterexample/event_epsilon_in_order.ts";

/** Counts of hits when so many draws were made, half of them of each dataset. */
function sides(
  hits: { left: number; right: number },
  draws: number,
): Record<"left" | "right", { hits: number; draws: number }> {
  return {
    left: { hits: hits.left, draws: Math.ceil(draws / 2) },
    right: { hits: hits.right, draws: Math.floor(draws / 2) },
  };
}

interface Game {
  readonly epsilon: number;
  readonly delta: number;
  readonly draws: number;
}

/**
 * The largest expectation of a value of the last counts that any program can reach that is (ε, δ)-DP at every draw. It knows all
 * hits so far and sets the chances of the next one: none, or as different as the claim allows, in either direction.
 */
function largestExpectation(
  { epsilon, delta, draws }: Game,
  value: (hits: { left: number; right: number }) => number,
): number {
  const odds = Math.exp(epsilon);
  const choices: (readonly [number, number])[] = [[0, 0]];
  for (const q of [0, 0.02, 0.1, 0.3, (1 - delta) / odds, 1]) {
    const p = Math.min(1, odds * q + delta);
    choices.push([p, q], [q, p]);
  }
  let next: number[][] = [];
  for (let made = draws; made >= 0; made--) {
    const then = next;
    next = Array.from(
      { length: made + 1 },
      (_, left) =>
        Array.from(
          { length: made + 1 - left },
          (_, right) =>
            made === draws ? value({ left, right }) : Math.max(
              ...choices.map(([p, q]) =>
                p / 2 * then[left + 1]![right]! + q / 2 * then[left]![right + 1]! +
                (1 - p / 2 - q / 2) * then[left]![right]!
              ),
            ),
        ),
    );
  }
  return next[0]![0]!;
}

const games: readonly Game[] = [
  { epsilon: 0.3, delta: 0, draws: 40 },
  { epsilon: 1, delta: 0, draws: 40 },
  { epsilon: 3, delta: 0, draws: 40 },
  { epsilon: 0.5, delta: 0.1, draws: 40 },
  { epsilon: 1, delta: 0.3, draws: 40 },
];

// Mutants: the largest wealth in place of the average, δ/2 missing in one factor, e^ε off the other side.
Deno.test("logWealth() has an expectation of at most the share of bettors that play, reached where the claim is exhausted", () => {
  for (const game of games) {
    const most = largestExpectation(game, ({ left, right }) =>
      Math.exp(logWealth(
        { favoured: left, other: right, misses: game.draws - left - right },
        game,
      )));
    // Stakes are the powers of the square root of a half; those above the inverse of e^ε + δ/2 do not play.
    const idle = Math.ceil(2 * Math.log2(Math.exp(game.epsilon) + game.delta / 2));
    assertAlmostEquals(most, (41 - idle) / 41, 1e-9);
  }
});

Deno.test("eventEpsilonInOrder() lies above ε with probability α at most, however a program uses its memory", () => {
  for (const alpha of [0.3, 0.9]) {
    for (const game of games) {
      const error = largestExpectation(
        game,
        (hits) =>
          Number(eventEpsilonInOrder(sides(hits, game.draws), { ...game, alpha }) > game.epsilon),
      );
      assert(error <= alpha, `${error} at ${JSON.stringify(game)}`);
    }
  }
});

// Mutants: 1/α in place of 2/α, no share of α for the other direction; a bound rounded up.
Deno.test("eventEpsilonInOrder() is the ε at which the wealth is 2/α, from below", () => {
  for (const [left, right, delta] of [[500, 100, 0], [500, 100, 0.1], [40, 0, 0]] as const) {
    const bound = eventEpsilonInOrder(sides({ left, right }, 2000), { delta, alpha: 0.05 });
    const wealthAt = (epsilon: number): number =>
      Math.exp(
        logWealth({ favoured: left, other: right, misses: 2000 - left - right }, {
          epsilon,
          delta,
        }),
      );
    assert(wealthAt(bound) >= 40 && wealthAt(bound + 2e-6) < 40 * (1 + 1e-8), `${wealthAt(bound)}`);
  }
});

Deno.test("eventEpsilonInOrder() comes within a tenth of the truth for many draws, in either direction", () => {
  for (
    const [p, q, delta] of [[0.6, 0.2, 0], [0.6, 0.2, 0.1], [0.05, 0.001, 0], [
      0.9,
      0.0001,
      0,
    ]] as const
  ) {
    const counts = { left: 1e5 * p, right: 1e5 * q }, truth = Math.log((p - delta) / q);
    const found = eventEpsilonInOrder(sides(counts, 2e5), { delta, alpha: 0.05 });
    assert(found < truth && found > (q < 0.001 ? 0.75 : 0.9) * truth, `${found} of ${truth}`);
    const swapped = { left: counts.right, right: counts.left };
    assertEquals(eventEpsilonInOrder(sides(swapped, 2e5), { delta, alpha: 0.05 }), found);
  }
});

Deno.test("eventEpsilonInOrder() shows nothing by equal counts, few ones, or a difference within δ", () => {
  const none: [number, number, number, number][] = [
    [500, 500, 2000, 0],
    [3, 0, 2000, 0],
    [0, 0, 0, 0],
    [500, 100, 2000, 0.5],
  ];
  for (const [left, right, draws, delta] of none) {
    assertEquals(eventEpsilonInOrder(sides({ left, right }, draws), { delta, alpha: 0.05 }), 0);
  }
});

Deno.test("eventEpsilonInOrder() grows with hits of one side alone, and ends where no stake is left", () => {
  const found = [20, 100, 1000, 1e5, 1e9].map((left) =>
    eventEpsilonInOrder(sides({ left, right: 0 }, 2 * left), { delta: 0, alpha: 0.05 })
  );
  assertEquals(found, found.toSorted((a, b) => a - b));
  assert(found[0]! > 0 && found.at(-1)! < 14.3, `${found}`);
});
