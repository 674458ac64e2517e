import { type Command, Option } from "commander";
import { type ArgumentsOf, entryOf, flagOf, type OptionName, type Taker } from "./option_table.ts";

/** Options by the heading under which help lists them. */
type Listing = Readonly<Record<string, readonly OptionName[]>>;
type NamesIn<Listed extends Listing> = Listed[keyof Listed][number];

const CLAIM = ["epsilon", "delta", "order", "rho", "mu"] as const;
const DATASETS = ["left", "right", "rows", "size", "relation"] as const;
const RUN = [
  "maxDraws",
  "maxSeconds",
  "seed",
  "workers",
  "json",
  "junit",
  "html",
  "sarif",
  "markdown",
  "github",
  "quiet",
] as const;

/** The options of an audit: those that a replay, evidence or a checkpoint may hold. */
export const AUDIT = {
  "Subject (one of):": ["mechanism", "module", "exec", "url", "samples", "fd", "independent"],
  "Claim (not needed when the subject carries its own):": CLAIM,
  "Datasets:": [...DATASETS, "withRows", "require"],
  "Run:": [
    "alpha",
    "fullBudget",
    "checkpoint",
    "queue",
    "bits",
    "except",
    "all",
    "shrink",
    "recording",
    "oneAtATime",
    "requirePower",
    "timeout",
    ...RUN,
  ],
} as const satisfies Listing;

/** Options of `dpcheck audit` that are not part of what is audited. */
export const AUDIT_COMMAND = {
  "Run:": ["exact", "resume", "yes", "freshStart"],
  "Sessions:": ["interactive", "questions", "strategy", "lifetime", "restartKeeps"],
} as const satisfies Listing;

/** The options of `dpcheck verify`. */
export const VERIFY = { "Options:": [...RUN, "alpha"] } as const satisfies Listing;

/** The options of `dpcheck record`. */
export const RECORD = {
  "Subject (one of):": ["module", "exec", "fd"],
  "Claim (not needed when the module carries its own):": CLAIM,
  "Datasets:": DATASETS,
  "Run:": [
    "maxPairs",
    "maxSeconds",
    "seed",
    "strict",
    "json",
    "html",
    "junit",
    "sarif",
    "markdown",
    "timeout",
  ],
} as const satisfies Listing;

/** The options of `dpcheck exact`. */
export const EXACT = {
  "Subject (one of):": ["mechanism", "module"],
  "Claim (not needed when the subject carries its own):": CLAIM,
  "Datasets:": DATASETS,
  "Run:": ["maxBranches", "maxSeconds", "remainder", "json", "html", "certificate", "smt"],
} as const satisfies Listing;

/** The options of an audit as commander gives them, and the checkpoint that is resumed. */
export type AuditArguments = ArgumentsOf<NamesIn<typeof AUDIT> | "resume">;
/** The options of `dpcheck audit` that are not part of what is audited. */
export type AuditCommandArguments = ArgumentsOf<NamesIn<typeof AUDIT_COMMAND>>;
/** The options of `dpcheck verify` as commander gives them. */
export type VerifyArguments = ArgumentsOf<NamesIn<typeof VERIFY>>;
/** The options of `dpcheck record` as commander gives them. */
export type RecordArguments = ArgumentsOf<NamesIn<typeof RECORD>>;
/** The options of `dpcheck exact` as commander gives them. */
export type ExactArguments = ArgumentsOf<NamesIn<typeof EXACT>>;
/** Files and streams that reports go to. */
export type OutputFiles = Pick<
  AuditArguments,
  "json" | "junit" | "html" | "sarif" | "markdown" | "github" | "quiet"
>;

/** The names of a listing, in its order. */
export function namesOf<Listed extends Listing>(listing: Listed): NamesIn<Listed>[] {
  return Object.values(listing).flat();
}

/** Adds the options of a listing to a command, with the help that they have for `taker`. */
export function addOptions(command: Command, listing: Listing, taker: Taker): Command {
  for (const [heading, names] of Object.entries(listing)) {
    command.optionsGroup(heading);
    for (const name of names) command.addOption(optionOf(name, taker));
  }
  return command;
}

function optionOf(name: OptionName, taker: Taker): Option {
  const { value, read, default: usual, hidden = false, help, helpOf } = entryOf(name);
  const flags = value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`;
  const option = new Option(flags, helpOf?.[taker] ?? help).hideHelp(hidden);
  if (read !== undefined) option.argParser(read as (text: string, before: unknown) => unknown);
  // Commander gives flags with --no- their value.
  return value === undefined || usual === undefined ? option : option.default(usual);
}
