import { SubjectFailure } from "../../audit/kernel/subject.ts";

/** Milliseconds within which a promise of an output must be settled. */
const MOST_WAIT = 30_000;

/** Returns true if a program answers by a promise. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as { then?: unknown }).then === "function";
}

/** Waits for the value of a promise. @throws {SubjectFailure} when that takes too long. */
export async function inTime(promise: PromiseLike<unknown>): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new SubjectFailure(`its promise was not settled in ${MOST_WAIT / 1000} s`)),
      MOST_WAIT,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
