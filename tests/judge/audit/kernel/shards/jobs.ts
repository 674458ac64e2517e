import { chooseGuesses } from "../../../../../lib/judge/audit/plan/bet_choice/choose_guesses.ts";
import { serializePredictor } from "../../../../../lib/judge/audit/model/prediction/serialized_predictor.ts";
import { Predictor } from "../../../../../lib/judge/audit/model/prediction/predictor.ts";
import type {
  ShardJob,
  ShardResult,
  ShardTask,
} from "../../../../../lib/judge/audit/kernel/shards/shard_job.ts";
import type { SentJob } from "../../../../../lib/judge/audit/sharded_counting.ts";
import type { Outputs } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

/** A predictor that has learned from answers of randomised response: each truth with this probability, and a third answer. */
export function learnedPredictor(truth: number, others = 0): Predictor {
  const source = new SeededSource(9).split("learned");
  const side = (row: number): Outputs => ({
    kind: "block",
    width: 1,
    values: Float64Array.from({ length: 4000 }, () => {
      const right = source.uniform() < truth;
      return source.uniform() < others ? 2 : right ? row : 1 - row;
    }),
  });
  const predictor = new Predictor({ effort: "thorough" });
  predictor.observe(side(0), side(1));
  predictor.freeze({ alpha: 0.05, draws: 4000 });
  return predictor;
}

/** A job of guesses. */
export function guessJob(
  { predictor, ...sizes }:
    & { readonly predictor: Predictor }
    & Pick<ShardJob, "seed" | "shards" | "draws" | "goal" | "isFunctionOfSeed">,
): SentJob {
  const { guess } = chooseGuesses(predictor, { alpha: 0.05, draws: sizes.shards * sizes.draws });
  return {
    pair: { left: [0], right: [1] },
    predictor: serializePredictor(predictor),
    learned: { counts: predictor.counts, leaves: predictor.leaves },
    guess,
    ...sizes,
  };
}

/** A result that a task may have, with all its guesses made. */
export function fullResult(task: ShardTask, rightGuesses: number): ShardResult {
  const { shard, attempt, goal, draws } = task;
  return {
    shard,
    attempt,
    drawsAsked: draws,
    goal,
    draws,
    left: Math.floor(draws / 2),
    right: Math.ceil(draws / 2),
    made: goal,
    rightGuesses,
    ended: true,
  };
}
