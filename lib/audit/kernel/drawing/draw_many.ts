import { lostOf } from "../order/lost_outputs.ts";
import { joinOutputs } from "../outputs.ts";
import type { PairData, PairOutputs } from "../subject.ts";
import { MAX_BATCH, type Sampler } from "./sampler.ts";

/** A batch is at most the draws before it divided by this, so that a slow batch takes little time beside them. */
const MANY_DIVISOR = 4;

/**
 * Draws `count` outputs on a pair in batches, as far as time allows. The speed decides when it ends and nothing else: equal
 * seeds give equal outputs.
 */
export async function drawMany(
  sampler: Sampler,
  pair: PairData,
  count: number,
): Promise<PairOutputs> {
  const parts: PairOutputs[] = [];
  let drawn = 0;
  while (drawn < count && (drawn === 0 || sampler.spent < 1)) {
    const most = Math.max(2, Math.floor(drawn / MANY_DIVISOR));
    const part = Math.min(count - drawn, most, MAX_BATCH);
    parts.push(await sampler.draw(pair, part));
    drawn += part;
  }
  const lost = lostOf(parts);
  return {
    left: joinOutputs(parts.map(({ left }) => left)),
    right: joinOutputs(parts.map(({ right }) => right)),
    ...(lost === undefined ? {} : { lost }),
  };
}
