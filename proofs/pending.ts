import type { PendingTheorem } from "./theorem.ts";

/** Theorems that wait for the code they are about. */
export const pendingTheorems: readonly PendingTheorem[] = [];
