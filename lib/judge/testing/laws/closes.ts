import process from "node:process";
import type { CheckedSubject } from "./checked_subject.ts";
import type { Law, LawOutcome } from "./law.ts";

/** Milliseconds that threads and processes may take to end. */
const ENDING = 2_000, PAUSE = 20;

/** Nothing is left of a subject that was closed. */
export const closes: Law<CheckedSubject> = {
  name: "close() may be called twice, and leaves no timer, socket or pipe to a process behind",
  advice: "end in close() all that was started for the subject, and wait for its end",
  async check(checked): Promise<LawOutcome> {
    const before = runningNow();
    const subject = await checked.open();
    await subject.draw(checked.pair.left, 1);
    await subject.close();
    try {
      await subject.close();
    } catch (error) {
      return { what: "The second close() throws.", shown: { error } };
    }
    const until = performance.now() + ENDING;
    let left = startedSince(before);
    while (left.length > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      left = startedSince(before);
    }
    return left.length === 0
      ? undefined
      : { what: "Something is still there after close().", shown: { left } };
  },
};

/** Lists what keeps this process alive, by kind, without threads. */
function runningNow(): string[] {
  return process.getActiveResourcesInfo();
}

/** Lists what runs now and did not run before. */
function startedSince(before: readonly string[]): string[] {
  const rest = [...before];
  return runningNow().filter((kind) => {
    const place = rest.indexOf(kind);
    if (place >= 0) rest.splice(place, 1);
    return place < 0;
  });
}
