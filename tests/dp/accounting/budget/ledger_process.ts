import { openLedger } from "../../../../lib/dp/accounting/budget/ledger.ts";
import { share } from "../../../../lib/dp/accounting/budget/share.ts";
import { pure } from "../../../../lib/core/mod.ts";
import type { Mechanism } from "../../../../lib/core/mechanism/mechanism.ts";
import { addRemoveOne as relation } from "../../../../lib/core/relations/relation.ts";
import { release } from "../../../../lib/dp/mechanisms/release.ts";

// Releases with a ledger until it refuses: `deno run -A ledger_process.ts PATH PARTS [kill]`. Each release is a line of output, written when its
// noise is drawn; with `kill` the process is killed at its second instead.

const [path, parts, kill] = Deno.args as [string, string, string | undefined];
const limit = pure({ epsilon: 1, relation }), budget = openLedger(path, { limit });
let drawn = 0;
const mechanism: Mechanism<unknown, void> = {
  name: "one part",
  claim: pure({ epsilon: share(1, Number(parts)), relation }),
  sample(): void {
    if (kill === "kill" && drawn === 1) Deno.kill(Deno.pid, "SIGKILL");
    drawn++;
    Deno.stdout.writeSync(new TextEncoder().encode("drawn\n"));
  },
};
try {
  for (;;) release(mechanism, [], { budget });
} catch (error) {
  console.log((error as Error).message);
}
