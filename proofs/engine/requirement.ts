import type { Outcome } from "./theorem.ts";

/** What a check found broken: its message is the witness. */
export class Broken extends Error {
  /** The name that errors of this class show. */
  override readonly name = "Broken";
}

/** Ends a check with this witness unless the condition holds. */
export function requireThat(
  condition: boolean,
  witness: string | (() => string),
): asserts condition {
  if (!condition) throw new Broken(typeof witness === "string" ? witness : witness());
}

/**
 * The outcome of a check that goes through cases by {@linkcode requireThat}: it holds when none is broken. Other errors
 * are thrown on.
 *
 * @param check gives the worst case as a share of what is claimed, or nothing: NaN
 */
export function outcomeOf(detail: string, check: () => number | void): Outcome {
  try {
    return { holds: true, margin: check() ?? NaN, detail };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { holds: false, margin: NaN, detail, witness: error.message };
  }
}

/**
 * The outcome of groups of cases: each goes through its own by {@linkcode requireThat}, and the witness names the group.
 *
 * @param cases what each group shows, and the check of it
 */
export function casesOf(cases: Readonly<Record<string, () => void>>): Outcome {
  const groups = Object.entries(cases);
  return outcomeOf(`${groups.length} groups of cases`, () => {
    for (const [name, check] of groups) {
      try {
        check();
      } catch (error) {
        if (error instanceof Broken) throw new Broken(`${name}: ${error.message}`);
        throw error;
      }
    }
  });
}

/** The same for groups that take their time: one after the other. */
export async function casesInTurn(
  cases: Readonly<Record<string, () => void | Promise<void>>>,
): Promise<Outcome> {
  const groups = Object.entries(cases), detail = `${groups.length} groups of cases`;
  for (const [name, check] of groups) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      return { holds: false, margin: NaN, detail, witness: `${name}: ${error.message}` };
    }
  }
  return { holds: true, margin: NaN, detail };
}

/** Ends a check unless two values are the same, written as JSON. */
export function requireEqual(value: unknown, stated: unknown, what = "value"): void {
  const [found, expected] = [value, stated].map((each) => JSON.stringify(each, plain));
  requireThat(found === expected, () => `${what} is ${found}, not ${expected}`);
}

/** What JSON has no words for. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))) {
    return Object.is(value, -0) ? "-0" : String(value);
  }
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  return value === undefined ? "undefined" : value;
}

/** Ends a check unless a number is what is stated, within a relative and an absolute tolerance. */
export function requireNear(
  value: number,
  stated: number,
  { what = "value", relative = 1e-12, absolute = 0 }: {
    readonly what?: string;
    readonly relative?: number;
    readonly absolute?: number;
  } = {},
): void {
  requireThat(
    near(value, stated, { relative, absolute }),
    () => `${what} is ${value}, not ${stated}`,
  );
}

/** Ends a check unless a function refuses its options, with words that contain `words`. */
export function requireRefused(what: string, run: () => unknown, words = ""): void {
  try {
    run();
  } catch (error) {
    if (error instanceof Error && error.message.includes(words)) return;
  }
  throw new Broken(`${what} is accepted`);
}

/** Returns true if a number is what is stated, within a relative and an absolute tolerance. */
export function near(
  value: number,
  stated: number,
  { relative = 0, absolute = 0 }: { readonly relative?: number; readonly absolute?: number },
): boolean {
  return Object.is(value, stated) ||
    Math.abs(value - stated) <= relative * Math.abs(stated) + absolute;
}
