import process from "node:process";
import { bareJson, parseBareJson } from "../../lib/core/text/bare_json.ts";
import { sameRow } from "../../lib/core/relations/relation.ts";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import type { AuditArguments } from "../options/audit_arguments.ts";

/** What a replay fixes that the options may have left open. */
export interface Fixed {
  readonly seed: number;
  /** The counterexample, if there is one: it takes the place of a search. */
  readonly pair: { readonly left: unknown; readonly right: unknown } | null;
}

/** The words after `dpcheck audit` that run an audit again, without its report files. */
export function replayArguments(options: AuditArguments, { seed, pair }: Fixed): string[] {
  const words: string[] = [];
  const add = (name: string, value: unknown): void => {
    if (value !== undefined) words.push(`--${name}`, String(value));
  };
  add("mechanism", options.mechanism);
  add("module", options.module);
  add("exec", options.exec);
  add("url", options.url);
  add("fd", options.fd);
  if (options.independent) words.push("--independent");
  if (options.samples !== undefined) words.push("--samples", ...options.samples);
  add("epsilon", options.epsilon);
  add("delta", options.delta);
  add("order", options.order);
  add("rho", options.rho);
  add("mu", options.mu);
  if (pair !== null && isJson(pair.left) && isJson(pair.right)) {
    add("left", bareJson(pair.left));
    add("right", bareJson(pair.right));
    words.push("--no-shrink");
  } else {
    add("left", options.left?.text);
    add("right", options.right?.text);
    add("rows", options.rows?.text);
    if (options.size !== undefined) add("size", `${options.size.min}..${options.size.max}`);
    for (const rule of options.require ?? []) add("require", rule);
    if (!options.shrink) words.push("--no-shrink");
  }
  add("with-rows", options.withRows?.text);
  for (const event of options.except ?? []) add("except", event);
  add("relation", options.relation?.name);
  add("alpha", options.alpha);
  add("max-draws", options.maxDraws);
  add("max-seconds", options.maxSeconds);
  add("workers", options.workers);
  if (options.timeout !== 30) add("timeout", options.timeout);
  add("require-power", options.requirePower);
  if (options.all && pair === null) words.push("--all");
  if (options.bits) words.push("--bits");
  if (options.oneAtATime) words.push("--one-at-a-time");
  if (options.fullBudget) words.push("--full-budget");
  if (options.recording === false) words.push("--no-recording");
  add("seed", seed);
  return words;
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

/** How dpcheck is called from the current folder, with further permissions. */
export function commandHere(further: readonly string[]): string[] {
  // The npm package has JavaScript only.
  // A wheel of Python has the command itself.
  if (import.meta.url.includes("/dpcheck/node/node_modules/")) return ["dpcheck"];
  if (import.meta.url.endsWith(".js")) return ["npx", "dpcheck"];
  const root = import.meta.dirname?.replace(/[\\/]cli[\\/]output$/, "");
  const permissions = [...PERMISSIONS, ...further];
  if (root === undefined) {
    return ["deno", "run", ...permissions, import.meta.resolve("../main.ts")];
  }
  if (process.cwd() === root && further.length === 0) return ["deno", "task", "dpcheck"];
  return ["deno", "run", ...permissions, "--config", `${root}/deno.json`, `${root}/cli/main.ts`];
}

/** Whether JSON with bare NaN and infinities carries the value unharmed. */
function isJson(value: unknown): boolean {
  const text = bareJson(value);
  return text !== undefined && sameRow(parseBareJson(text), value);
}
