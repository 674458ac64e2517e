import { pairOf } from "../../lib/core/relations/relation.ts";
import { record } from "../../lib/judge/recording/record.ts";
import { recorderOfText } from "../../lib/judge/recording/recorder_of_text.ts";
import { claimOf } from "./claim_of.ts";
import { FILE, functionOf, lineOf, type Mechanism, statementsOf } from "./function_of.ts";
import { serveRequests } from "./serve_requests.ts";
import type { Datasets } from "./worker_messages.ts";

// The worker that names the lines at which noise does not cover what changes, on a pair that refuted the claim.

serveRequests({ lineOf }, async (request, tell) => {
  const { code, pair, seed, maxSeconds } = request, claim = claimOf(request);
  tell({ kind: "alive" });
  const recorder = await recorderOfText(
    statementsOf(code),
    (): Mechanism => functionOf(code),
    { file: FILE, name: "mechanism" },
  );
  const { left, right } = pair as Datasets;
  const { findings } = await record(recorder, {
    claim,
    pair: pairOf(claim.relation, { left: left as unknown[], right: right as unknown[] }),
    seed,
    maxSeconds,
  });
  return { kind: "lines", findings };
});
