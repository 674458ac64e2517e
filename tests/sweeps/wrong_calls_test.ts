import { assert, assertEquals } from "@std/assert";
import { FACTORIES } from "../dp/mechanisms/manifest.ts";
import { type CallWithOptions, judgesWithOptions, LEARNERS } from "./calls_with_options.ts";

// What calls without types get wrong: whatever they pass, they get a sentence of ours and no TypeError of the engine.

const WRONG: readonly unknown[] = [undefined, null, "1", "0.5", "2", NaN, {}, [], () => {}];

/** Words of engines, for what no check has seen. */
const ENGINE =
  /Cannot (read properties|destructure|convert (undefined or|object to|a (Symbol|BigInt))|use 'in'|set properties|mix|assign)|is not (a function|iterable|a constructor|defined|an Object)|must be called with|Invalid (array|typed)/;

/** Whose callers pass no options, and by types alone: samplers in loops; and what other folders check. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "./random": "samplers are called in loops: their arguments are checked by types alone",
};

/** Options of mechanisms that may be left out. */
const MAY_MISS = new Set(["granularity", "mostAnswers"]);

/** Exports whose first argument is a claim or a spectrum that a caller has from another call. */
const BY_TYPES_ALONE = new Set([
  "claimToJSON",
  "describeClaim",
  "generalisedEigenproblem",
  "RowFile",
  "AssertionError",
]);

async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

const isSentence = (error: unknown): boolean =>
  error === undefined ||
  error instanceof Error && error.message.startsWith("Cannot ") && !ENGINE.test(error.message);

// Mutants: an export without its check; a check of options that lets null pass.
Deno.test("exports answer wrong arguments in a sentence, and never with a TypeError of the engine", async () => {
  const config = await Deno.readTextFile(new URL("../../deno.json", import.meta.url));
  const { exports } = JSON.parse(config) as {
    exports: Readonly<Record<string, string>>;
  };
  const problems: string[] = [], elsewhere = new Set<unknown>(), checked = new Set<unknown>();
  const modules = await Promise.all(
    Object.entries(exports).map(async ([entry, file]) =>
      [entry, await import(new URL(`../../${file}`, import.meta.url).href)] as const
    ),
  );
  for (const [entry, module] of modules) {
    if (entry in ELSEWHERE) { for (const value of Object.values(module)) elsewhere.add(value); }
  }
  for (const [, module] of modules) {
    for (const [name, value] of Object.entries(module as Record<string, unknown>)) {
      if (typeof value !== "function" || elsewhere.has(value) || BY_TYPES_ALONE.has(name)) continue;
      if (checked.has(value)) continue;
      checked.add(value);
      const isClass = /^class\b/.test(Function.prototype.toString.call(value));
      const run = value as unknown as (...args: readonly unknown[]) => unknown;
      const make = value as unknown as new (argument: unknown) => unknown;
      for (const wrong of WRONG) {
        const error = await thrownBy(() => isClass ? new make(wrong) : run(wrong));
        if (!isSentence(error)) problems.push(`${name}(${String(wrong)}): ${error}`);
      }
    }
  }
  assert(checked.size > 150, `${checked.size} exports`);
  assertEquals(problems, []);
});

/** What each option of a call gets wrong: nothing thrown, no sentence, or one without the option or what it is. */
async function problemsOf({ name, call, options }: CallWithOptions): Promise<string[]> {
  const entries = Object.entries(options).map(([key, value]) => [key.replace("?", ""), value]);
  const right = Object.fromEntries(entries) as Record<string, unknown>;
  const run = call as (given: unknown) => unknown;
  const problems: string[] = [];
  for (const option of Object.keys(right)) {
    const valid = right[option];
    for (const wrong of WRONG) {
      const error = await thrownBy(() => run({ ...right, [option]: wrong }));
      const at = `${name}: ${option} of ${JSON.stringify(wrong) ?? String(wrong)}`;
      if (error === undefined) {
        // What an option may be, or an object whose parts another function checks.
        const isTaken = wrong === undefined
          ? `${option}?` in options
          : typeof valid === "string"
          ? typeof wrong === "string"
          : Array.isArray(valid)
          ? Array.isArray(wrong)
          : typeof valid === "function"
          ? typeof wrong === "function"
          : typeof valid === "object" && (typeof wrong === "function" ||
            typeof wrong === "object" && !Array.isArray(wrong) && wrong !== null);
        if (!isTaken) problems.push(`${at} is taken`);
      } else {
        const { message } = error as Error;
        const isTold = isSentence(error) && message.includes(option) &&
          /current (value|number|kind|length)/.test(message);
        if (!isTold) problems.push(`${at}: ${message}`);
      }
    }
  }
  return problems;
}

// Before: a perturbation, an output or a slack with a typing error was another one; "false" was true; tables of bounds without one of them
// ended in the engine. Mutants: one option without its check.
Deno.test("learners name the option, the rule and what it is, for each option that is wrong", async () => {
  assertEquals((await Promise.all(LEARNERS.map(problemsOf))).flat(), []);
});

Deno.test("audits, subjects and reports name the option, the rule and what it is, for each option that is wrong", async () => {
  const calls = await judgesWithOptions();
  assertEquals((await Promise.all(calls.map(problemsOf))).flat(), []);
});

Deno.test("mechanisms name the option, the rule and what it is, for each option that is wrong", async () => {
  const calls = FACTORIES.map(([call, options]) => ({
    name: call.name,
    call: call as CallWithOptions["call"],
    options: Object.fromEntries(
      Object.entries(options).map(([key, value]) => [MAY_MISS.has(key) ? `${key}?` : key, value]),
    ),
  }));
  assertEquals((await Promise.all(calls.map(problemsOf))).flat(), []);
});

/** Names that a typing error, another library or a generator makes of an option. */
const misspelt = (option: string): readonly string[] => [
  `${option}s`,
  option.slice(0, -1),
  `_${option}`,
  option.toUpperCase(),
  `${option}Of`,
];

/** Functions that read some of what another one takes, or a record that another one made: they may be handed more. */
const HANDED_MORE = new Set([
  ...["suggestedLambda", "kMeansCalibration", "dpSgdClaim", "perceptronCalibration"],
  ...["perceptronGuarantee", "sulqAccounting", "finiteDomain", "sparseRows"],
]);

// Each was taken for an option that was left out. Mutant: one function that looks at what it knows alone.
Deno.test("learners and mechanisms refuse options that they do not know, and name the one that was meant", async () => {
  const mechanisms = FACTORIES.map(([call, options]) => ({ name: call.name, call, options }));
  const problems: string[] = [];
  for (
    const { name, call, options } of [...LEARNERS, ...mechanisms] as readonly CallWithOptions[]
  ) {
    if (HANDED_MORE.has(name)) continue;
    const right = Object.fromEntries(
      Object.entries(options).map(([key, value]) => [key.replace("?", ""), value]),
    );
    const known = new Set(Object.keys(right));
    for (const option of known) {
      for (const unknown of misspelt(option)) {
        if (known.has(unknown)) continue;
        const error = await thrownBy(() => call({ ...right, [unknown]: right[option] } as never));
        const { message } = (error ?? { message: "nothing" }) as Error;
        if (!message.includes(`current value is ${unknown}`)) {
          problems.push(
            `${name}: ${unknown}: ${message}`,
          );
        }
      }
    }
  }
  assertEquals(problems, []);
});
