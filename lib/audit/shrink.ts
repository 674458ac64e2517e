import type { Arm } from "./arm.ts";
import type { EventReport } from "./report.ts";
import type { Pair } from "../core/relation.ts";
/** x */
export async function shrinkPair(
  arm: Arm,
  _o: unknown,
): Promise<{ pair: Pair; event: EventReport | null; confirmation?: undefined }> {
  return await { pair: arm.pair, event: null };
}
