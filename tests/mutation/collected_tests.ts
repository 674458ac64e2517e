import type { Theorem } from "../../proofs/engine/theorem.ts";

/** A test, or a theorem of proofs, that is run again and again. */
export interface CollectedTest {
  readonly name: string;
  run(): Promise<void>;
}

type TestFunction = (context: unknown) => void | Promise<void>;

/** The seed of every fast-check run. */
const SEED = 20261123;

const collected: CollectedTest[] = [];

/** Makes `Deno.test` collect, and property tests stop at the first counterexample. */
export async function collectTests(): Promise<void> {
  const fc = (await import("fast-check")).default;
  fc.configureGlobal({ seed: SEED, endOnFailure: true });
  Object.defineProperty(Deno, "test", {
    value: Object.assign(add, { ignore: () => {}, only: add }),
  });
  Object.defineProperty(Deno, "exit", {
    value: () => {
      throw new Error("the process would end");
    },
  });
  for (const method of ["log", "info", "warn", "error", "debug"] as const) {
    console[method] = () => {};
  }
  for (const event of ["unhandledrejection", "error"]) {
    globalThis.addEventListener(event, (event) => event.preventDefault());
  }
}

/** What `Deno.test` takes, in all of its forms. */
function add(...args: unknown[]): void {
  const options = Object.assign(
    {},
    ...args.map((arg) =>
      typeof arg === "string"
        ? { name: arg }
        : typeof arg === "function"
        ? { name: arg.name, fn: arg }
        : arg
    ).toReversed(), // a name given first wins
  ) as { name: string; fn: TestFunction; ignore?: boolean };
  if (options.ignore) return;
  const { name, fn } = options;
  const context = testContext();
  collected.push({
    name,
    async run(): Promise<void> {
      context.restart();
      await fn(context);
    },
  });
}

/** A context whose snapshots are what the first run gave: the library without mutants. */
function testContext(): { restart(): void } {
  const snapshots: string[] = [];
  let next = 0;
  const context = {
    name: "",
    origin: "",
    restart: (): void => void (next = 0),
    async step(
      step: string | TestFunction | { fn: TestFunction; ignore?: boolean },
      fn?: TestFunction,
    ): Promise<boolean> {
      if (typeof step === "object") {
        if (!step.ignore) await step.fn(context);
      } else await (fn ?? step as TestFunction)(context);
      return true;
    },
    assertSnapshot(value: unknown): void {
      const text = Deno.inspect(value, { iterableLimit: Infinity, depth: 20 });
      const at = next++;
      if (snapshots.length === at) snapshots.push(text);
      else if (snapshots[at] !== text) throw new Error("the snapshot differs");
    },
  };
  return context;
}

/** Loads a file of tests, or of theorems, and gives its tests. */
export async function testsOf(file: URL): Promise<readonly CollectedTest[]> {
  collected.length = 0;
  const module = await import(file.href);
  const found = Object.values(module).filter(isTheorem);
  // Beside theorems is what runs them, with its seed.
  const seed = found.length === 0
    ? SEED
    : (await import(new URL("../../engine/prove.ts", file).href)).PROOF_SEED as number;
  const theorems = found.map((theorem) => ({
    name: `theorem ${theorem.id}`,
    async run(): Promise<void> {
      const { check, corrected, expected } = theorem;
      const { holds } = await check({ seed });
      if (holds !== (expected === "holds")) throw new Error("the theorem fails");
      if (corrected === undefined) return;
      if (!(await corrected.check({ seed })).holds) throw new Error("its twin fails");
    },
  }));
  return [...collected, ...theorems];
}

function isTheorem(value: unknown): value is Theorem {
  return typeof value === "object" && value !== null && "check" in value && "expected" in value;
}
