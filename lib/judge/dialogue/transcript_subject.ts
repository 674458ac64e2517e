import type { Claim } from "../../core/claims/claim.ts";
import type { Coins } from "../audit/kernel/order/coins.ts";
import { unaskedOf } from "../audit/kernel/order/lost_outputs.ts";
import {
  dealOutputs,
  type Outputs,
  packOutputs,
  type PairOutputs,
} from "../audit/kernel/outputs.ts";
import type { PairData, Subject } from "../audit/kernel/subject.ts";
import type { TranscriptFeature } from "./transcript_feature.ts";
import type { Transcript } from "./transcript.ts";

/** Answers of a transcript that are bet on beside its feature; longer ones are bet on by the feature alone. */
const MOST_RAW = 6;

/**
 * Returns the transcripts of one strategy as a subject: one transcript is one output. `feature` was chosen before, on other transcripts.
 */
export function transcriptSubject(
  name: string,
  { claim, feature, transcript }: {
    readonly claim: Claim;
    readonly feature: TranscriptFeature | undefined;
    readonly transcript: (data: unknown) => Transcript | Promise<Transcript>;
  },
): Subject {
  const outputOf = (of: Transcript): unknown => {
    const raw = of.answers.length <= MOST_RAW || feature === undefined ? of.answers : [];
    return feature === undefined ? raw : [feature.of(of) ?? "absent", ...raw];
  };
  const draw = (data: unknown): unknown | Promise<unknown> => {
    const drawn = transcript(data);
    return "answers" in drawn ? outputOf(drawn) : drawn.then(outputOf);
  };
  return {
    name,
    claim,
    async draw(data: unknown, count: number): Promise<Outputs> {
      const values: unknown[] = [];
      for (let i = 0; i < count; i++) {
        const output = draw(data);
        values.push(output instanceof Promise ? await output : output);
      }
      return packOutputs(values);
    },
    async drawInOrder({ left, right }: PairData, coins: Coins): Promise<PairOutputs> {
      const { order, ends } = coins, values: unknown[] = [];
      for (let i = 0; i < order.length && ends?.isOver() !== true; i++) {
        const output = draw(order[i] === 0 ? left : right);
        values.push(output instanceof Promise ? await output : output);
      }
      const dealt = dealOutputs({ kind: "values", values }, order.subarray(0, values.length));
      return { ...dealt, ...unaskedOf(coins, values.length) };
    },
    close: () => Promise.resolve(),
  };
}
