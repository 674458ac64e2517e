import { ermFaults } from "./erm.ts";
import type { Fault } from "./fault.ts";
import { learnerFaults } from "./learners.ts";
import { mechanismFaults } from "./mechanisms.ts";
import { otherFaults } from "./others.ts";

/** Every fault that somebody must notice. */
export const allFaults: readonly Fault[] = [
  ...mechanismFaults,
  ...ermFaults,
  ...learnerFaults,
  ...otherFaults,
];
