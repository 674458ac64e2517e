import { declaredCall } from "../../core/mechanism/declared_call.ts";
import { loadText } from "../source/load_text.ts";
import { FollowedProgram } from "./followed/followed_program.ts";
import { followedRecorder } from "./followed/followed_recorder.ts";
import { keepAtHand } from "./followed/keep_at_hand.ts";
import type { Recorder } from "./recording.ts";
import { type Program, ReplayedProgram } from "./replay/replayed_program.ts";

/**
 * Records the function of a text that imports nothing, in this thread, in which nothing else may run, by its rewritten copy.
 *
 * @param asWritten runs the text as it is, after its copy was loaded: a text that changes what all programs share is not run.
 * @throws as `loadText` does, and what `asWritten` throws.
 */
export async function recorderOfText(
  text: string,
  asWritten: () => Program,
  options: {
    /** Name of the text in reports. */
    readonly file: string;
    /** The name that the text gives the function. */
    readonly name: string;
  },
): Promise<Recorder> {
  keepAtHand();
  let call = undefined as ReturnType<typeof declaredCall> | undefined;
  const program = await FollowedProgram.load(
    () => loadText(text, options),
    { takesSource: () => call!.calledWith === "data and source", keepsLanguage: true },
  );
  call = declaredCall(asWritten());
  const written = new ReplayedProgram(call.run, { folder: "file:///", isAlone: true });
  return followedRecorder(program, { name: options.name, written });
}
