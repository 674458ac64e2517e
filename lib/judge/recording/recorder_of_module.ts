import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { Claim } from "../../core/claims/claim.ts";
import { declaredCall } from "../../core/mechanism/declared_call.ts";
import type { Domain } from "../../core/relations/dataset.ts";
import { loadExport, splitSpecifier } from "../audit/subjects/thread/load_export.ts";
import { FollowedProgram } from "./followed/followed_program.ts";
import { followedRecorder } from "./followed/followed_recorder.ts";
import { keepAtHand } from "./followed/keep_at_hand.ts";
import { functionRecorder } from "./function_recorder.ts";
import type { Recorder } from "./recording.ts";
import { ReplayedProgram } from "./replay/replayed_program.ts";

/** A recorder of a module, with what the module declares. */
export interface ModuleRecorder extends Recorder {
  readonly claim?: Claim;
  readonly domain?: Domain;
}

/**
 * Records what a module exports, in this thread, in which nothing else may run: a function by its rewritten copy, of which all is seen that
 * it does with its noise. A mechanism, and a module that cannot be rewritten, are recorded by their draws, which are changed one at a time.
 *
 * @throws as `loadExport` does.
 */
export async function recorderOfModule(
  specifier: string,
  { onOutput, samples = true }: {
    /** Called after each run, to show that the program does not hang. */
    readonly onOutput?: () => void;
    /** Whether the law of noise that is not followed may be found by some 20,000 runs. Default true. */
    readonly samples?: boolean;
  } = {},
): Promise<ModuleRecorder> {
  keepAtHand();
  const exported = await loadExport(specifier), { file, name } = splitSpecifier(specifier);
  const path = realpathSync(file), root = dirname(path);
  const options = {
    folder: `${pathToFileURL(root).href}/`,
    isAlone: true,
    samples,
    ...(onOutput && { onOutput }),
  };
  if (exported.kind === "mechanism") {
    const { mechanism } = exported, { claim, domain } = mechanism;
    const recorder = functionRecorder(
      (data, source) => mechanism.sample(data as readonly unknown[], source),
      { ...options, name: mechanism.name },
    );
    return { ...recorder, claim, ...(domain === undefined ? {} : { domain }) };
  }
  const other = functionRecorder(exported.run, { ...options, name: specifier });
  const { run, calledWith } = declaredCall(exported.run);
  try {
    const program = await FollowedProgram.load(path, {
      name,
      root,
      takesSource: calledWith === "data and source",
      onOutput,
    });
    return followedRecorder(program, { written: new ReplayedProgram(run, options), other });
  } catch {
    // A module of another kind, or one whose copy does not load: it runs as it is written.
    return other;
  }
}
