import type { Spendable } from "../../../lib/core/mechanism/budget.ts";

/** A budget that pays for everything, where a test is about something else. */
export const unlimited: Spendable = { spend: () => {} };
