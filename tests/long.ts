/** Whether this is a run of `deno task test:long`, which has hours. */
export const LONG: boolean = Deno.env.get("DPCHECK_LONG") === "1";

/** All of these cases in the long run, and those that `takesDaily` takes every day. */
export function dailyOf<Case>(
  cases: readonly Case[],
  takesDaily: (one: Case, place: number) => boolean,
): readonly Case[] {
  return LONG ? cases : cases.filter(takesDaily);
}

/** A test that only `deno task test:long` runs. */
export function longTest(name: string, fn: () => void | Promise<void>): void {
  Deno.test({ name, ignore: !LONG, fn });
}
