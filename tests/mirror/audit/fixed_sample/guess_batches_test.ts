import { assert, assertEquals } from "@std/assert";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { batchWith, cellsWith, guessTest, source, testOf } from "./guesses.ts";

// Mutants: no margin for deviations, or one so large that the test needs hundreds of batches.
Deno.test("GuessCountBound.mostDraws leads to the last guess in few batches, and seldom beyond it", () => {
  const random = new SeededSource("most draws");
  for (const rate of [1, 0.5, 0.02]) {
    let lost = 0;
    for (let run = 0; run < 40; run++) {
      const cells = cellsWith([[100 * rate, 900 * rate], [500 * (1 - rate), 500 * (1 - rate)]]);
      const guess = guessTest(cells, { epsilon: 0.5, alpha: 0.05, draws: 5000, source });
      let batches = 0, made = 0;
      const goal = Math.round(5000 * (1000 * rate + 1) / 1001);
      while (guess.mostDraws < Infinity) {
        const draws = Math.min(guess.mostDraws, 2000);
        let guesses = 0;
        for (let k = 0; k < draws; k++) if (random.uniform() < rate) guesses++;
        guess.add(batchWith([[0, guesses], [draws - guesses, 0]]));
        made += guesses;
        batches++;
      }
      assert(batches <= (rate === 1 ? 3 : 30), `${batches} batches`);
      assert(rate < 1 || made === 5000);
      if (made > goal + 2) lost++;
    }
    assert(lost <= 20, `${lost} of 40`);
  }
});

Deno.test("GuessCountBound.mostDraws is the most draws whose guesses and three deviations fit into what is left", () => {
  // Every draw makes a guess: as many as are left.
  for (let goal = 1; goal <= 60; goal++) assertEquals(testOf(goal).mostDraws, goal);
  for (const [guessed, others] of [[999, 1000], [99, 1900], [499, 500]] as const) {
    const cells = cellsWith([[0, guessed], [others / 2, others / 2]]), draws = 40_000;
    const goal = Math.round(draws * (guessed + 1) / (guessed + others + 1));
    for (const left of [1, 4, 8, 9, 12, 20, 100, 900]) {
      const guess = guessTest(cells, { epsilon: 0.5, alpha: 0.05, draws, source });
      const more = Math.round((goal - left) * others / guessed);
      guess.add(batchWith([[0, goal - left], [0, more]]));
      const made = guessed + goal - left + 1, rate = made / (made + others + more);
      const guesses = (n: number): number => n * rate + 3 * Math.sqrt(n * rate * (1 - rate));
      // Where few are left, as many as make half of them, or four.
      const few = Math.floor(Math.min(left, 8) / 2 / rate + 1e-6), most = guess.mostDraws;
      assert(guesses(most + 1) > left);
      assert(most === Math.max(1, few) || most > few && guesses(most) <= left + 1e-3);
    }
  }
});

Deno.test("GuessCountBound has at least one guess, however few are expected", () => {
  assert(testOf(0).mostDraws < Infinity);
});
