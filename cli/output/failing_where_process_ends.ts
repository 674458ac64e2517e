import process from "node:process";
import { say } from "../options/say.ts";
import { withCode } from "./error_codes.ts";
import { ExitStatus } from "./exit_status.ts";

/**
 * A program that ends the process, as `process.exit(0)` does, must not give the exit status of a claim that holds; and one that fails
 * after its call, in a promise or a timer, not that of a claim that is refuted.
 *
 * @param consequence what it means, as in "nothing was decided".
 * @returns what ends this watch.
 */
export function failingWhereProcessEnds(consequence: string): () => void {
  const fail = (what: string): void => {
    release();
    say(withCode(`${what}: ${consequence}`, ExitStatus.failed));
    process.exitCode = ExitStatus.failed;
  };
  const onEnd = (): void => fail("the program ended the process");
  const onError = (error: unknown): void => {
    fail(
      `the program failed outside of its call, in a promise or a timer: ${
        error instanceof Error ? error.message : String(error)
      }`,
    );
    process.exit(ExitStatus.failed);
  };
  const release = (): void => {
    process.off("exit", onEnd);
    process.off("unhandledRejection", onError);
    process.off("uncaughtException", onError);
    globalThis.removeEventListener?.("unload", onEnd);
  };
  process.on("exit", onEnd);
  process.on("unhandledRejection", onError);
  process.on("uncaughtException", onError);
  // Deno.exit does not tell listeners of Node's kind.
  globalThis.addEventListener?.("unload", onEnd);
  return release;
}
