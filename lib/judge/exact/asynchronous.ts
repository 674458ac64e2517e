/** Why a program that returns a promise is refused. */
export const ASYNCHRONOUS =
  "it is asynchronous: it must return its output at once, without async, await or promises; or audit it";

/** Returns true if an output is a promise. That it fails, as it does where a run is ended, is then no error of the process. */
export function isPromise(output: unknown): boolean {
  if (typeof (output as { then?: unknown } | null | undefined)?.then !== "function") return false;
  Promise.resolve(output).catch(() => {});
  return true;
}
