import type { Highs } from "highs";
import { compare, type Rational } from "../../../core/numeric/rational.ts";
import { type Affine, formKey, minus, normalised } from "./affine.ts";
import { alignClasses, type Alignment } from "./align_classes.ts";
import { type Combination, contradiction } from "./combination.ts";
import type { Constraint } from "./constraint.ts";
import type { CaseData, NeighbourCase } from "./neighbour_cases.ts";
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
  /** All comparisons of data are decided. */
  | CaseLeaf;

/** Data on which the program compares nothing but noise. */
export interface CaseLeaf {
  readonly kind: "leaf";
  /** What the data here satisfy: premises of the case, then comparisons. */
  readonly premises: readonly Constraint[];
  readonly left: TraceTree;
  readonly right: TraceTree;
  readonly alignment: Alignment;
}

/** Times that data are split by the sign of a shift, one after the other. */
const MOST_SPLITS = 6;

/** What a case is proved with. */
export interface CaseOptions {
  readonly laws: NoiseLaws;
  readonly highs: Highs;
  readonly enough: Rational;
  readonly onPath: () => void;
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
    known: readonly Constraint[],
  ): TraceTree => traceProgram(program, { ...options, data, decisions, premises: known });
  const within = (
    known: readonly Constraint[],
    decisions: DataDecisions,
    splits: number,
  ): CaseProof => {
    const split = (form: Affine, more: number): CaseProof => {
      const side = (above: boolean): CaseProof => {
        const opposite = minus(new Map(), form);
        const all = [...known, { form: above ? form : opposite, strict: above }];
        const why = contradiction(all, options.highs);
        if (why !== undefined) return { kind: "empty", why };
        const decided = new Map(decisions).set(formKey(form), above);
        // What is above 0 has an opposite that is not.
        if (above) decided.set(formKey(normalised(opposite)), false);
        return within(all, decided, more);
      };
      return { kind: "split", form, above: side(true), other: side(false) };
    };
    let leaf: CaseLeaf;
    try {
      const trees = {
        left: trace(left, decisions, known),
        right: trace(right, decisions, known),
      };
      const alignment = alignClasses({
        ...options,
        premises: known,
        left: pathsOf(trees.left),
        right: pathsOf(trees.right),
      });
      leaf = { kind: "leaf", premises: known, ...trees, alignment };
    } catch (error) {
      if (!(error instanceof RunPaused && error.at.kind === "data")) throw error;
      return split(error.at.form, splits);
    }
    const form = splits < MOST_SPLITS
      ? splittingForm(leaf.alignment, { ...options, premises: known })
      : undefined;
    if (form === undefined) return leaf;
    const apart = split(form, splits + 1);
    return leavesOf(apart).every(({ alignment: { open, epsilon } }) =>
        open.length === 0 && compare(epsilon, leaf.alignment.epsilon) < 0
      )
      ? apart
      : leaf;
  };
  return within(premises, new Map(), 0);
}

/** Returns the leaves of a proof. */
export function leavesOf(proof: CaseProof): CaseLeaf[] {
  switch (proof.kind) {
    case "leaf":
      return [proof];
    case "empty":
      return [];
    case "split":
      return [...leavesOf(proof.above), ...leavesOf(proof.other)];
  }
}
