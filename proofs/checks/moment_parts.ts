import { logMoment } from "../../lib/accounting/loss_moment.ts";

/** What a mutant may stand in for. */
export const moments = {
  logMoment,
};

/** What a mutant may stand in for. */
export type Moments = typeof moments;

/** For cases that are checked in several files. */
export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
