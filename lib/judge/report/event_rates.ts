import type { EventReport } from "../audit/counterexample/event_report.ts";

/** Returns both rates of the event, the left one first. */
export function ratesOf({ left, right }: EventReport): { left: number; right: number } {
  return {
    left: left.draws === 0 ? 0 : left.hits / left.draws,
    right: right.draws === 0 ? 0 : right.hits / right.draws,
  };
}
