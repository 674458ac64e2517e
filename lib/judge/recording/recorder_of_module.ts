import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { Claim } from "../../core/claims/claim.ts";
import { declaredCall } from "../../core/mechanism/declared_call.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Domain } from "../../core/relations/dataset.ts";
import { loadExport, splitSpecifier } from "../audit/subjects/thread/load_export.ts";
import { loadRewritten } from "../source/mod.ts";
import { FollowedProgram } from "./followed/followed_program.ts";
import { followedRecorder } from "./followed/followed_recorder.ts";
import { keepAtHand } from "./followed/keep_at_hand.ts";
import { functionRecorder } from "./function_recorder.ts";
import type { Recorder, Recording, RecordRequest } from "./recording.ts";
import { type Program, ReplayedProgram } from "./replay/replayed_program.ts";

/** A recorder of a module, with what the module declares. */
export interface ModuleRecorder extends Recorder {
  readonly claim?: Claim;
  readonly domain?: Domain;
}

/**
 * Records what a module exports, in this thread, in which nothing else may run, by its rewritten copy, of which all is seen that it does with
 * its noise. A module that cannot be rewritten is recorded by its draws, which are changed one at a time.
 *
 * @throws as `loadExport` does.
 */
export async function recorderOfModule(
  specifier: string,
  { onOutput }: {
    /** Called after each run, to show that the program does not hang. */
    readonly onOutput?: () => void;
  } = {},
): Promise<ModuleRecorder> {
  keepAtHand();
  const exported = await loadExport(specifier), { file, name } = splitSpecifier(specifier);
  const path = realpathSync(file), root = dirname(path);
  const options = {
    folder: `${pathToFileURL(root).href}/`,
    isAlone: true,
    ...(onOutput && { onOutput }),
  };
  const isMechanism = exported.kind === "mechanism";
  const { run, calledWith } = isMechanism
    ? { run: samplerOf(exported.mechanism), calledWith: "data and source" }
    : declaredCall(exported.run);
  const declared = isMechanism ? declaredBy(exported.mechanism) : { name: specifier };
  try {
    const program = await FollowedProgram.load(async () => {
      const { module, notes } = await loadRewritten(path, { root });
      return { value: module[name], notes };
    }, { takesSource: () => calledWith === "data and source", onOutput });
    const written = new ReplayedProgram(run, options);
    return { ...followedRecorder(program, { name: declared.name, written }), ...declared };
  } catch (error) {
    // A module of another kind, or one whose copy does not load: it runs as it is written.
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    const other = functionRecorder(run, { ...options, name: declared.name });
    const record = async (request: RecordRequest): Promise<readonly Recording[]> =>
      (await other.record(request)).map((own) =>
        own.notFollowed === undefined
          ? own
          : { ...own, notFollowed: `its rewritten copy does not load: ${reason}` }
      );
    return { ...other, ...declared, record };
  }
}

function samplerOf(mechanism: Mechanism): Program {
  return (data, source) => mechanism.sample(data as readonly unknown[], source);
}

function declaredBy(
  { name, claim, domain }: Mechanism,
): Pick<ModuleRecorder, "name" | "claim" | "domain"> {
  return { name, claim, ...(domain === undefined ? {} : { domain }) };
}
