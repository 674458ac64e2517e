import type { AuditReport } from "../../lib/judge/audit/report.ts";
import { describeClaim } from "../../lib/core/claims/claim.ts";

/** The code of a test for `node --test` or `deno test` that runs an audit again, by its command line, and fails where the claim is refuted. */
export function testOfAudit(
  { subject, claim, replay }: Pick<AuditReport, "subject" | "claim" | "replay">,
): string {
  const title = `${subject} keeps ${describeClaim(claim)}`;
  return `import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

test(${JSON.stringify(title)}, () => {
  const command = ${JSON.stringify(replay)};
  const { status, stdout, stderr } = spawnSync(command, { shell: true, encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
});
`;
}
