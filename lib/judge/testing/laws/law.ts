import { bareJson } from "../../../core/text/bare_json.ts";
import { AssertionError } from "../assertion_error.ts";

/** How a law was broken: what happened, and the values that show it. */
export interface Breach {
  /** One sentence. */
  readonly what: string;
  /** Values by name, such as the dataset and the output. */
  readonly shown?: Readonly<Record<string, unknown>>;
}

/** Outcome of a law: nothing where it holds, a breach, or why it was not checked. */
export type LawOutcome = undefined | Breach | { readonly skipped: string };

/** One thing that all mechanisms, or all subjects, must do. */
export interface Law<Checked> {
  /** The law as a sentence. */
  readonly name: string;
  /** Advice to an author about a breach. */
  readonly advice: string;
  /** Looks for a breach. */
  check(checked: Checked): LawOutcome | Promise<LawOutcome>;
}

/** Report of a check of all laws. */
export interface LawReport {
  /** The laws that were checked and hold. */
  readonly held: readonly string[];
  /** The laws that could not be checked, with the reason. */
  readonly skipped: Readonly<Record<string, string>>;
}

/** The most characters of a value in a message. */
const MOST_SHOWN = 300;

/** Checks laws one after the other. @throws {AssertionError} at the first that is broken. */
export async function checkLaws<Checked>(
  laws: readonly Law<Checked>[],
  { name, checked }: { readonly name: string; readonly checked: Checked },
): Promise<LawReport> {
  const held: string[] = [], skipped: Record<string, string> = {};
  for (const law of laws) {
    const outcome = await outcomeOf(law, checked);
    if (outcome !== undefined && !("skipped" in outcome)) {
      throw new AssertionError(messageOf(name, law, outcome), {
        report: { law: law.name, ...outcome },
      });
    }
    if (outcome === undefined) held.push(law.name);
    else skipped[law.name] = outcome.skipped;
  }
  return { held, skipped };
}

/** Returns the outcome of a law: an error of what is checked breaks it. */
async function outcomeOf<Checked>(law: Law<Checked>, checked: Checked): Promise<LawOutcome> {
  try {
    return await law.check(checked);
  } catch (error) {
    return { what: "An error came in its place.", shown: { error } };
  }
}

function messageOf<Checked>(
  name: string,
  { name: law, advice }: Law<Checked>,
  breach: Breach,
): string {
  const shown = Object.entries(breach.shown ?? {}).map(([key, value]) =>
    `  ${key}: ${textOf(value)}`
  );
  return [`${name} breaks a law: ${law}.`, breach.what, ...shown, `What to do: ${advice}`].join(
    "\n",
  );
}

function textOf(value: unknown): string {
  const text = value instanceof Error ? String(value) : bareJson(value) ?? String(value);
  return text.length > MOST_SHOWN
    ? `${text.slice(0, MOST_SHOWN)}… (${text.length} characters)`
    : text;
}
