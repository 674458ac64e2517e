import type { Claim } from "../core/claim.ts";
import type { Arm } from "./arm.ts";
import type { EventReport } from "./report.ts";
/** x */
export function findEvent(_arm: Arm, _claim: Claim): EventReport | null {
  return null;
}
