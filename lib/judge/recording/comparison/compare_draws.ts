import { NO_LOSS } from "../loss.ts";
import { drawDetail, lossOfDraw } from "../loss_of_draws.ts";
import type { Read } from "../recording.ts";
import type { ShownByReads } from "./moved_values.ts";
import { observed } from "./observation.ts";

/** Compares two discrete draws. One whose chances depend on data is a mechanism: it loses the most over all outcomes. */
export function compareDraws(a: Read, b: Read, index: number): Partial<ShownByReads> {
  const loss = lossOfDraw(a, b);
  if (loss === NO_LOSS) return {};
  const rest = loss === undefined ? { detail: drawDetail(a, b) } : { law: "draw", loss };
  return {
    observations: [
      observed(loss === undefined ? "noise-depends-on-data" : "shift", a, { index, ...rest }),
    ],
  };
}
