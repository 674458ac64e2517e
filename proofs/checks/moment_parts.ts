import { adaptiveDelta } from "../../lib/accounting/adaptive_bounds.ts";
import { composedDelta } from "../../lib/accounting/composed_delta.ts";
import { optimisticGrid, pessimisticGrid } from "../../lib/accounting/loss_grid.ts";
import { logMoment } from "../../lib/accounting/loss_moment.ts";
import { tiltedGrid } from "../../lib/accounting/tilted_grid.ts";

/** What a mutant may stand in for. */
export const moments = {
  logMoment,
  tiltedGrid,
  composedDelta,
  optimisticGrid,
  pessimisticGrid,
  adaptiveDelta,
};

/** What a mutant may stand in for. */
export type Moments = typeof moments;

/** For cases that are checked in several files. */
export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
