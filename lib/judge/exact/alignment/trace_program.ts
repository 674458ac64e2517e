import type { ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import { isPlain, mapPlain } from "../../../core/text/observed.ts";
import type { Highs } from "highs";
import { rational } from "../../../core/numeric/rational.ts";
import { ThrownOutput } from "../enumeration/enumerate_outputs.ts";
import { isFixed, isPlainOutput, outputKey, thrownKey } from "../enumeration/output_key.ts";
import { withDecided } from "../with_decided.ts";
import { ASYNCHRONOUS, isPromise } from "../asynchronous.ts";
import { countingRandomness, drawingOwn, OWN_RANDOMNESS, randomCalls } from "../own_randomness.ts";
import { type Affine, constant, isNoise } from "./affine.ts";
import { type Combination, contradiction } from "./combination.ts";
import { type Branching, type Constraint, constraintsOf, waysOf } from "./constraint.ts";
import { type CaseData, dataOf } from "./neighbour_cases.ts";
import { type NoiseLaws, supportConstraints } from "./noise_laws.ts";
import type { FunctionsOfData } from "./function_of_data.ts";
import { ComputedOutput } from "./computed_output.ts";
import type { HandDraws } from "./hand_draws.ts";
import { isDecidable, KEPT, NotTraceable, tracedForm, type TracedRun } from "./traced_value.ts";
import { begin, noteText, operationOf, rest } from "../../source/mod.ts";
import {
  type DataDecisions,
  NOT_DRAWN_AGAIN,
  RunPaused,
  type Step,
  stepOf,
  TracingSource,
} from "./tracing_source.ts";

/** What a program gives at the end of a path: its form without the traced values, and these. */
export interface TracedOutput {
  /** The same text for outputs that differ in traced values only. */
  readonly label: string;
  /** An output with null for traced values, for reports. */
  readonly shown: unknown;
  /** The traced values in it, in order. */
  readonly released: readonly Affine[];
  /** For each null of `shown`: a function of the next of these, or `undefined` where it is the next one itself. */
  readonly computed: readonly (ComputedOutput | undefined)[];
  /** The same with all finite numbers taken out, traced or not: outputs with one label are equal where these are. */
  readonly numbered: Omit<TracedOutput, "numbered">;
}

/** How deep outputs are looked into. */
const DEEPEST = 200;

/** All paths of a program on one dataset, as a tree. */
export type TraceTree =
  | {
    readonly kind: "branching";
    readonly branching: Branching;
    /** What was drawn by hand before it. */
    readonly hand: HandDraws;
    readonly ways: readonly TraceTree[];
  }
  | { readonly kind: "path"; readonly path: TracedPath }
  | { readonly kind: "empty"; readonly why: Combination };

/** One path. */
export interface TracedPath {
  /** The ways that its branchings go, as a text. */
  readonly ways: string;
  /** What its comparisons say. */
  readonly constraints: readonly Constraint[];
  readonly output: TracedOutput;
  /** What was drawn by hand on it. */
  readonly hand: HandDraws;
}

/** A program that is traced. */
export type TracedProgram = (data: unknown, source: ProgramSource) => unknown;

/** What tracing needs to know. */
export interface TraceOptions {
  readonly data: CaseData;
  readonly decisions: DataDecisions;
  /** Functions of data that are among the premises. */
  readonly functions: FunctionsOfData;
  /** Whether the largest of data is asked for by comparisons. Default: it is a function of data. */
  readonly splits?: boolean;
  /** What the data are known to satisfy. */
  readonly premises: readonly Constraint[];
  readonly laws: NoiseLaws;
  readonly highs: Highs;
  /** Counts paths; throws where there are too many. */
  readonly onPath: () => void;
}

/**
 * Runs a program on every path of its comparisons.
 *
 * @throws {NotTraceable} for a program that cannot be traced.
 * @throws {RunPaused} at a comparison of data that was not decided, and where a function of data is computed of which nothing is known.
 */
export function traceProgram(program: TracedProgram, options: TraceOptions): TraceTree {
  const from = (path: readonly Step[], before: readonly Constraint[]): TraceTree => {
    const end = runOnce(program, path, options);
    if (end instanceof RunPaused) {
      if (end.at.kind === "data" || end.at.kind === "functions") throw end;
      const branching = end.at;
      const ways = Array.from({ length: waysOf(branching) }, (_, way): TraceTree => {
        const constraints = [...before, ...constraintsOf(branching, way)];
        const why = emptiness(branching, constraints, { before, ...options });
        return why === undefined
          ? from([...path, stepOf(branching, way)], constraints)
          : { kind: "empty", why };
      });
      return { kind: "branching", branching, hand: end.hand, ways };
    }
    options.onPath();
    const ways = path.map(({ way }) => way).join();
    return { kind: "path", path: { ways, constraints: before, ...end } };
  };
  return countingRandomness(() => from([], []));
}

/** Returns the combination that shows that no noise takes a way; `undefined` where some noise takes it. Premises of the data come after the comparisons. */
function emptiness(
  { forms }: Branching,
  constraints: readonly Constraint[],
  { before, premises, highs, laws }: TraceOptions & { readonly before: readonly Constraint[] },
): Combination | undefined {
  const known = new Set(before.flatMap(({ form }) => [...form.keys()]));
  // Noise that is compared for the first time may be on either side.
  const fresh = forms.every((form, i) =>
    [...form.keys()].some((name) =>
      isNoise(name) && !known.has(name) && laws.of(name).kind !== "exponential" &&
      forms.every((other, j) => i === j || !other.has(name))
    )
  );
  if (fresh) return undefined;
  return contradiction([...constraints, ...premises, ...supportConstraints(laws)], highs);
}

function runOnce(
  program: TracedProgram,
  path: readonly Step[],
  options: TraceOptions,
  zeroAt?: number,
): Pick<TracedPath, "output" | "hand"> | RunPaused {
  const { data, decisions } = options;
  const source = new TracingSource({
    ...options,
    path,
    data: decisions,
    ...(zeroAt !== undefined && { zeroAt }),
  });
  const calls = randomCalls(),
    run = begin({ ...source.follower, maxSteps: Infinity, keepsLanguage: true });
  let output: unknown, thrown: { readonly value: unknown } | undefined;
  try {
    output = drawingOwn(
      () => source.ownUniform(),
      () => program(dataOf(data, (form) => source.value(form)), source),
    );
    output = resolved(output, source);
    source.requireKnown();
  } catch (error) {
    thrown = { value: error };
  }
  const { ended } = source;
  const [unseen] = run.notes;
  begin();
  source.close();
  if (randomCalls() !== calls) throw new NotTraceable(OWN_RANDOMNESS);
  if (isPromise(output)) throw new NotTraceable(ASYNCHRONOUS);
  if (unseen !== undefined) throw new NotTraceable(noteText(unseen));
  if (zeroAt === undefined) {
    for (let k = 0; k < source.zeros; k++) runOnce(program, path, options, k);
  } else {
    if (!source.isDrawnAgain) throw new NotTraceable(NOT_DRAWN_AGAIN);
    return new RunPaused({ kind: "data", form: new Map() });
  }
  if (ended instanceof RunPaused) return ended;
  if (ended !== undefined) throw ended;
  // Thrown by the source of another run.
  if (thrown?.value instanceof RunPaused || thrown?.value instanceof NotTraceable) {
    throw new NotTraceable(KEPT);
  }
  if (!source.arrived) {
    throw new NotTraceable(
      "it compares less when it is run again: it keeps state or reads a clock",
    );
  }
  try {
    return {
      output: thrown === undefined ? outputOf(output, source) : thrownOutput(thrown.value),
      hand: source.hand,
    };
  } finally {
    rest();
  }
}

/** Returns an output with what operations made of traced values decided: comparisons as truth values, and numbers as one form each. */
function resolved(output: unknown, source: TracingSource): unknown {
  return withDecided(output, (value) => {
    if (!isDecidable(value)) return source.computed(value);
    if (typeof operationOf(value).value === "boolean") return source.follower.decide!(value, "");
    return source.value(source.bound(source.formOf(value)));
  });
}

/** Returns an error in place of an output. @throws {NotTraceable} for one that cannot be compared. */
export function thrownOutput(thrown: unknown): TracedOutput {
  const label = compared(() => thrownKey(thrown)), shown = new ThrownOutput(thrown);
  const all = { label, shown, released: [], computed: [] };
  return { ...all, numbered: all };
}

/**
 * Takes the traced values of a run out of its output.
 *
 * @throws {NotTraceable} for an output that JSON cannot hold, or that has values of another run.
 */
export function outputOf(output: unknown, run: object): TracedOutput {
  const traced = (value: unknown): Affine | undefined => tracedForm(value, run as TracedRun);
  // The sign of 0 can be seen: −0 is no number like others.
  const number = (value: unknown): Affine | undefined =>
    typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)
      ? constant(rational(value))
      : traced(value);
  return { ...takenOut(output, traced), numbered: takenOut(output, number) };
}

/** Takes those values out of an output that stand for a form. */
function takenOut(
  output: unknown,
  formIn: (value: unknown) => Affine | undefined,
): TracedOutput["numbered"] {
  const released: Affine[] = [],
    computed: (ComputedOutput | undefined)[] = [],
    copies = new Map<object, unknown>();
  let places = "";
  const without = (value: unknown, depth: number): unknown => {
    if (value instanceof ComputedOutput) {
      released.push(...value.forms);
      computed.push(value);
      places += JSON.stringify(value.key);
      return null;
    }
    const form = formIn(value);
    if (form !== undefined) {
      released.push(form);
      computed.push(undefined);
      places += "#";
      return null;
    }
    places += typeof value === "object" && value !== null && isFixed(value) ? "f" : "-";
    // What is no plain list or record stays as it is: traced values inside are refused.
    if (typeof value !== "object" || value === null || !isPlainOutput(value)) return value;
    if (copies.has(value) || depth > DEEPEST) return copies.get(value) ?? value;
    const copy = mapPlain(value, (each) => without(each, depth + 1));
    copies.set(value, copy);
    return copy;
  };
  const shown = without(output, 0);
  return { label: compared(() => `${outputKey(shown)} with ${places}`), shown, released, computed };
}

/** Returns an output with values in the places from which numbers were taken out. */
export function withValues(
  { label, shown }: TracedOutput["numbered"],
  values: readonly number[],
): unknown {
  const places = label.slice(label.lastIndexOf(" ") + 1), copies = new Map<object, unknown>();
  let place = 0, next = 0;
  const put = (value: unknown): unknown => {
    if (places[place++] === "#") return values[next++];
    if (typeof value !== "object" || value === null || !isPlain(value)) return value;
    if (!copies.has(value)) copies.set(value, mapPlain(value, put));
    return copies.get(value);
  };
  return put(shown);
}

function compared(label: () => string): string {
  try {
    return label();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new NotTraceable(
      /\bTraced\b/.test(error.message)
        ? "Cannot compare outputs: one has data or noise in what is no plain list or record, as a frozen one, a list with holes or the message of an error; put them into plain ones, or audit it"
        : `${error.message}; put noise and data into plain lists and records alone`,
    );
  }
}

/** Returns true if outputs of a tree are other functions of noise than linear ones: different forms may then be the same output. */
export function computesOutputs(tree: TraceTree): boolean {
  return pathsOf(tree).some(({ output: { computed } }) => computed.some((each) => each));
}

/** Returns the paths of a tree. */
export function pathsOf(tree: TraceTree): TracedPath[] {
  switch (tree.kind) {
    case "path":
      return [tree.path];
    case "empty":
      return [];
    case "branching":
      return tree.ways.flatMap(pathsOf);
  }
}
