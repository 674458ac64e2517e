import type { Mechanism } from "./function_of.ts";
import type { Answer, Request } from "./worker_messages.ts";

/** Code of others as a function, with the places of its errors. */
export interface Language {
  /**
   * The function of a text.
   *
   * @param begins is called when the text is about to be run, which may loop, too: its time begins.
   * @throws what is wrong with the text, with its line where it is known.
   */
  load(request: Request, begins: () => void): Mechanism | Promise<Mechanism>;
  /** The line that an error names, counted from 1. */
  lineOf(error: unknown): number | undefined;
  /** True if its draws can be enumerated. */
  readonly isTraced: boolean;
}

/** Answers what the page asks by some work, which may tell the page how far it is. */
export function serveRequests(
  { lineOf }: Pick<Language, "lineOf">,
  work: (request: Request, tell: (answer: Answer) => void) => Promise<Answer>,
): void {
  globalThis.onmessage = async ({ data, ports }: MessageEvent<Request>): Promise<void> => {
    const port = ports[0]!;
    // Bound before code of others runs: what it posts, or puts in place of methods, is no answer.
    const answer: (answer: Answer) => void = port.postMessage.bind(port);
    // What stands in for the package of the solver (browser_scripts.ts) takes it from here.
    Object.assign(globalThis, { solver: data.solver });
    try {
      answer(await work(data, answer));
    } catch (error) {
      // What is thrown is an answer, too.
      const message = error instanceof Error ? error.message : String(error);
      const line = lineOf(error);
      answer({ kind: "failed", message, ...(line === undefined ? {} : { line }) });
    }
  };
}
