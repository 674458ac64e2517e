import * as fc from "fast-check";
import { logisticLoss } from "../../../../lib/dp/learners/erm/losses/logistic_loss.ts";

export const base = { rowCount: 1000, lambda: 1e-3, loss: logisticLoss, normBound: 1 };
export const positive = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min: Math.log(min), max: Math.log(max), noNaN: true }).map(Math.exp);
