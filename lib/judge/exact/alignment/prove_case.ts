import type { Highs } from "highs";
import { compare, type Rational } from "../../../core/numeric/rational.ts";
import { type Affine, formKey, minus, normalised } from "./affine.ts";
import { alignClasses, type Alignment } from "./align_classes.ts";
import { type Combination, contradiction } from "./combination.ts";
import type { Constraint } from "./constraint.ts";
import type { CaseData, NeighbourCase } from "./neighbour_cases.ts";
import {
  type AskedFunction,
  BENT,
  type FunctionOfData,
  FunctionsOfData,
} from "./function_of_data.ts";
import { NotTraceable } from "./traced_value.ts";
import type { NoiseLaws } from "./noise_laws.ts";
import { pathsOf, type TracedProgram, traceProgram, type TraceTree } from "./trace_program.ts";
import { splittingForm } from "./split_by_sign.ts";
import { type DataDecisions, RunPaused } from "./tracing_source.ts";

/** What was found for the pairs of a case: by the comparisons of data that the program makes. */
export type CaseProof =
  /** No data come here. */
  | { readonly kind: "empty"; readonly why: Combination }
  /** The program asks whether a form of data is above 0. */
  | {
    readonly kind: "split";
    readonly form: Affine;
    readonly above: CaseProof;
    readonly other: CaseProof;
  }
  /** The program computes functions of data: more is known of these, and the rest is proved with it. */
  | {
    readonly kind: "functions";
    readonly made: readonly FunctionOfData[];
    readonly rest: CaseProof;
  }
  /** All comparisons of data are decided. */
  | CaseLeaf;

/** Data on which the program compares nothing but noise. */
export interface CaseLeaf {
  readonly kind: "leaf";
  /** What the data here satisfy: premises of the case, then comparisons. */
  readonly premises: readonly Constraint[];
  /** Functions of data that are among the premises. */
  readonly functions: FunctionsOfData;
  /** What the program asked of the data, and how it was decided: the same for leaves that the prover alone keeps apart. */
  readonly asked: string;
  readonly left: TraceTree;
  readonly right: TraceTree;
  readonly alignment: Alignment;
}

/** Functions of data in one case. */
const MOST_FUNCTIONS = 500;

/** Times that data are split by the sign of a shift, one after the other. */
const MOST_SPLITS = 6;

/** What a case is proved with. */
export interface CaseOptions {
  readonly laws: NoiseLaws;
  readonly highs: Highs;
  readonly enough: Rational;
  readonly onPath: () => void;
  /** Called where a function of data is bounded that comparisons find, as the largest. Without it they do. */
  readonly onBent?: (() => void) | undefined;
}

/** Proves what can be proved of all pairs of a case. @throws {NotTraceable} for a program that cannot be traced. */
export function proveCase(
  program: TracedProgram,
  { premises, left, right }: NeighbourCase,
  options: CaseOptions,
): CaseProof {
  const trace = (
    data: CaseData,
    decisions: DataDecisions,
    { known, functions }: Known,
  ): TraceTree =>
    traceProgram(program, {
      ...options,
      splits: options.onBent === undefined,
      data,
      decisions,
      functions,
      premises: known,
    });
  const within = (
    { known, functions }: Known,
    decisions: DataDecisions,
    { splits, asked }: { readonly splits: number; readonly asked: string },
  ): CaseProof => {
    const split = (form: Affine, isAsked: boolean): CaseProof => {
      const side = (above: boolean): CaseProof => {
        const opposite = minus(new Map(), form);
        const all = [...known, { form: above ? form : opposite, strict: above }];
        const why = contradiction(all, options.highs);
        if (why !== undefined) return { kind: "empty", why };
        const decided = new Map(decisions).set(formKey(form), above);
        // What is above 0 has an opposite that is not.
        if (above) decided.set(formKey(normalised(opposite)), false);
        return within({ known: all, functions }, decided, {
          splits: isAsked ? splits : splits + 1,
          asked: isAsked ? `${asked} ${formKey(form)} ${above};` : asked,
        });
      };
      return { kind: "split", form, above: side(true), other: side(false) };
    };
    let leaf: CaseLeaf;
    try {
      const trees = {
        left: trace(left, decisions, { known, functions }),
        right: trace(right, decisions, { known, functions }),
      };
      const alignment = alignClasses({
        ...options,
        premises: known,
        left: pathsOf(trees.left),
        right: pathsOf(trees.right),
      });
      leaf = { kind: "leaf", premises: known, functions, asked, ...trees, alignment };
    } catch (error) {
      if (!(error instanceof RunPaused)) throw error;
      if (error.at.kind === "data") return split(error.at.form, true);
      if (error.at.kind !== "functions") throw error;
      if (error.at.asked.some(({ op }) => BENT.has(op))) options.onBent?.();
      const more = withFunctions({ known, functions }, error.at.asked, {
        highs: options.highs,
        isUndecided: decisions.size === 0,
      });
      const made = more.functions.all.slice(functions.all.length);
      return { kind: "functions", made, rest: within(more, decisions, { splits, asked }) };
    }
    const form = splits < MOST_SPLITS
      ? splittingForm(leaf.alignment, { ...options, premises: known })
      : undefined;
    if (form === undefined) return leaf;
    const apart = split(form, false);
    return leavesOf(apart).every(({ alignment: { open, epsilon } }) =>
        open.length === 0 && compare(epsilon, leaf.alignment.epsilon) < 0
      )
      ? apart
      : leaf;
  };
  return within({ known: premises, functions: new FunctionsOfData() }, new Map(), {
    splits: 0,
    asked: "",
  });
}

/** What is known of data, with the functions of data that are in it. */
interface Known {
  readonly known: readonly Constraint[];
  readonly functions: FunctionsOfData;
}

/** Adds functions of data, and what is known of them. @throws {NotTraceable} for one that is not bounded. */
function withFunctions(
  { known, functions }: Known,
  asked: readonly AskedFunction[],
  options: { readonly highs: Highs; readonly isUndecided: boolean },
): Known {
  for (const each of asked) {
    const more = functions.with(each, { ...options, premises: known });
    if (typeof more === "string" || more.all.length > MOST_FUNCTIONS) {
      throw new NotTraceable(
        `it computes ${each.op} at ${each.at || "an unknown line"} of data, which ${
          typeof more === "string" ? more : `are more than ${MOST_FUNCTIONS} functions of data`
        }: give rows and branches on which it is a finite number, or audit it`,
      );
    }
    functions = more;
    known = [...known, ...more.all.at(-1)!.premises];
  }
  return { known, functions };
}

/** Returns the leaves of a proof. */
export function leavesOf(proof: CaseProof): CaseLeaf[] {
  switch (proof.kind) {
    case "leaf":
      return [proof];
    case "functions":
      return leavesOf(proof.rest);
    case "empty":
      return [];
    case "split":
      return [...leavesOf(proof.above), ...leavesOf(proof.other)];
  }
}
