import process from "node:process";
import { bareJson, parseBareJson } from "../../lib/core/text/bare_json.ts";
import { sameRow } from "../../lib/core/relations/relation.ts";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import {
  AUDIT,
  AUDIT_COMMAND,
  type AuditArguments,
  type AuditCommandArguments,
  namesOf,
} from "../options/command_options.ts";
import { entryOf, flagOf, OPTION_NAMES, type OptionName } from "../options/option_table.ts";
import type { JsonValue } from "../options/option_values.ts";

/** Choices of an audit that its options may have left open, and that a replay fixes. */
export interface Fixed {
  readonly seed: number;
  /** The counterexample, if there is one: it takes the place of a search. */
  readonly pair: { readonly left: unknown; readonly right: unknown } | null;
}

/** The words after `dpcheck audit` that run an audit again, without its report files. */
export function replayArguments(options: AuditArguments, { seed, pair }: Fixed): string[] {
  const isFixed = pair !== null && isPairOfJson(pair);
  const again: Changed = {
    ...options,
    ...(isFixed ? asOptions(pair) : {}),
    ...(pair === null ? {} : { all: undefined }),
    seed,
  };
  return REPLAYED.flatMap((name) => wordsOf(name, again[name]));
}

/** The words after `dpcheck audit` that bet again on a strategy of a session and its pair; without them, that search again. */
export function sessionReplay(
  options: AuditArguments & AuditCommandArguments,
  { strategy, ...fixed }: Fixed & { readonly strategy: unknown },
): string[] {
  const isFixed = strategy !== null && fixed.pair !== null && isPairOfJson(fixed.pair);
  const written: JsonValue | undefined = isFixed
    ? { text: bareJson(strategy)!, value: strategy }
    : options.strategy;
  return [
    "--interactive",
    ...SESSIONS.flatMap((name) => wordsOf(name, name === "strategy" ? written : options[name])),
    ...replayArguments(options, isFixed ? fixed : { ...fixed, pair: null }),
  ];
}

const SESSIONS = AUDIT_COMMAND["Sessions:"].filter((name) => name !== "interactive");

const TAKEN = new Set<OptionName>(namesOf(AUDIT));
/** The seed comes last. */
const REPLAYED = OPTION_NAMES.filter((name) => {
  const { report, replayed = report === undefined } = entryOf(name);
  return replayed && TAKEN.has(name);
}) as (keyof AuditArguments)[];

/** Options with some of them taken away. */
type Changed = { readonly [Name in keyof AuditArguments]?: AuditArguments[Name] | undefined };

/** Options that name this pair in place of a search. */
function asOptions({ left, right }: NonNullable<Fixed["pair"]>): Changed {
  const value = (value: unknown): JsonValue => ({ text: bareJson(value)!, value });
  const noSearch = { rows: undefined, size: undefined, require: undefined, shrink: false };
  return { left: value(left), right: value(right), ...noSearch };
}

/** The words that give an option this value; none where it is what it is by default. */
function wordsOf(name: OptionName, given: unknown): string[] {
  const entry = entryOf(name), flag = flagOf(name);
  if (given === undefined || given === entry.default) return [];
  if (entry.value === undefined) return [flag];
  const written = (value: unknown): string => entry.write?.(value as never) ?? String(value);
  if (entry.repeated) return (given as unknown[]).flatMap((value) => [flag, written(value)]);
  return Array.isArray(given) ? [flag, ...given] : [flag, written(given)];
}

/** The command line that runs `dpcheck audit` with these words from the current folder. */
export function replayCommand(words: readonly string[]): string {
  const url = words[words.indexOf("--url") + 1];
  const permissions = words.includes("--url") ? [`--allow-net=${new URL(url!).host}`] : [];
  return [...commandHere(permissions), "audit", ...words].map(quoteWord).join(" ");
}

const PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-run",
  "--allow-sys",
];

/** The words that call dpcheck from the current folder, with further permissions. */
export function commandHere(further: readonly string[]): string[] {
  // The npm package has JavaScript only.
  // A wheel of Python has the command itself.
  if (import.meta.url.includes("/dpcheck/node/node_modules/")) return ["dpcheck"];
  if (import.meta.url.endsWith(".js")) {
    return "Deno" in globalThis ? ["deno", "x", "-A", "dpcheck"] : ["npx", "dpcheck"];
  }
  const root = cloneFolder();
  const permissions = [...PERMISSIONS, ...further];
  if (root === undefined) {
    return ["deno", "run", ...permissions, import.meta.resolve("../main.ts")];
  }
  if (process.cwd() === root && further.length === 0) return ["deno", "task", "dpcheck"];
  return ["deno", "run", ...permissions, "--config", `${root}/deno.json`, `${root}/cli/main.ts`];
}

/** The folder of the clone that this command is run from; `undefined` for packages. */
export function cloneFolder(): string | undefined {
  return import.meta.url.endsWith(".ts")
    ? import.meta.dirname?.replace(/[\\/]cli[\\/]output$/, "")
    : undefined;
}

function isPairOfJson({ left, right }: NonNullable<Fixed["pair"]>): boolean {
  return isJson(left) && isJson(right);
}

/** Tells if JSON with bare NaN and infinities holds the value without loss. */
function isJson(value: unknown): boolean {
  const text = bareJson(value);
  return text !== undefined && sameRow(parseBareJson(text), value);
}
