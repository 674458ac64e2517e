import { assert, assertEquals } from "@std/assert";
import { FACTORIES } from "../mirror/mechanisms/mechanism_factories.ts";

// What calls without types get wrong: whatever they pass, they get a sentence of ours and no TypeError of the engine.

const WRONG: readonly unknown[] = [undefined, null, "1", NaN, {}, [], () => {}];

/** Words of engines, for what no check has seen. */
const ENGINE =
  /Cannot (read properties|destructure|convert (undefined or|object to|a (Symbol|BigInt))|use 'in'|set properties|mix|assign)|is not (a function|iterable|a constructor|defined|an Object)|must be called with|Invalid (array|typed)/;

/** Whose callers pass no options, and by types alone: samplers in loops; and what other folders check. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "./random": "samplers are called in loops: their arguments are checked by types alone",
  "./audit": "checked in its own folder",
  "./one-run": "checked in its own folder",
  "./report": "takes reports, not options",
};

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
  const { exports } = JSON.parse(await Deno.readTextFile("deno.json")) as {
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

Deno.test("mechanisms answer each wrong option in a sentence", async () => {
  const problems: string[] = [];
  for (const [factory, options] of FACTORIES) {
    const make = factory as (options: unknown) => unknown;
    for (const option of Object.keys(options)) {
      for (const wrong of WRONG) {
        const error = await thrownBy(() => make({ ...options, [option]: wrong }));
        const told = isSentence(error);
        if (!told) problems.push(`${factory.name}: ${option} of ${String(wrong)}: ${error}`);
      }
      if (option === "granularity" || option === "mostAnswers") continue;
      const { [option]: _, ...others } = options;
      const missing = await thrownBy(() => make(others));
      const names = missing instanceof Error &&
        missing.message.includes(option);
      if (!names) problems.push(`${factory.name} without ${option}: ${missing}`);
    }
  }
  assertEquals(problems, []);
});
