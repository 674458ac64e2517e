import { type Affine, formKey, minus, normalised, times } from "./affine.ts";
import { rational } from "../../../core/numeric/rational.ts";

/** form ≥ 0, or > 0. Comparisons of noise are all strict: equality has probability 0. */
export interface Constraint {
  readonly form: Affine;
  readonly strict: boolean;
}

/** Where a traced run goes one way or another. */
export interface Branching {
  /** `less`: whether the only form is above 0 (first way) or not (second). `largest`: which of the forms is. */
  readonly kind: "less" | "largest";
  readonly forms: readonly Affine[];
}

/** Returns the number of ways in which a branching goes on. */
export function waysOf({ kind, forms }: Branching): number {
  return kind === "less" ? 2 : forms.length;
}

/** Returns the constraints that hold where a branching goes this way. */
export function constraintsOf({ kind, forms }: Branching, way: number): Constraint[] {
  if (kind === "less") {
    const form = way === 0 ? forms[0]! : times(rational(-1), forms[0]!);
    return [{ form, strict: true }];
  }
  return forms.flatMap((form, i) =>
    i === way ? [] : [{ form: minus(forms[way]!, form), strict: true }]
  );
}

/** Returns a text, the same for equal branchings only. */
export function branchingKey({ kind, forms }: Branching): string {
  return `${kind} ${forms.map(formKey).join(", ")}`;
}

/** Returns a text, the same for constraints that are positive multiples of each other. */
export function constraintKey({ form }: Constraint): string {
  return formKey(normalised(form));
}
