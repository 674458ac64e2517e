import { missingOf } from "../order/lost_outputs.ts";
import { joinOutputs, type PairOutputs } from "../outputs.ts";
import type { PairData } from "../subject.ts";
import { MAX_BATCH, type Sampler } from "./sampler.ts";

/** A batch is at most the draws before it divided by this, so that the limit of time is looked at often where they are slow. */
const MANY_DIVISOR = 4;

/** Draws `count` outputs on a pair in batches, as far as the budget and the limit of time allow. */
export async function drawMany(
  sampler: Sampler,
  pair: PairData,
  count: number,
): Promise<PairOutputs> {
  const parts: PairOutputs[] = [];
  let drawn = 0;
  while (drawn < count && (drawn === 0 || !sampler.isCut)) {
    const most = Math.max(2, Math.floor(drawn / MANY_DIVISOR));
    const part = Math.min(count - drawn, most, MAX_BATCH);
    parts.push(await sampler.draw(pair, part));
    drawn += part;
  }
  return {
    left: joinOutputs(parts.map(({ left }) => left)),
    right: joinOutputs(parts.map(({ right }) => right)),
    ...missingOf(parts),
  };
}
