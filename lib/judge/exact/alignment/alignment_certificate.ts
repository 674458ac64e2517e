import { type Claim, claimToJSON, claimUnder, gaussian, pure } from "../../../core/claims/claim.ts";
import type { Domain } from "../../../core/relations/dataset.ts";
import { sameRow } from "../../../core/relations/relation.ts";
import { certifiedDomain, fractionText, isKnown } from "../enumeration/certificate.ts";
import type { Affine } from "./affine.ts";
import type { AlignedClass } from "./align_classes.ts";
import type { Combination } from "./combination.ts";
import type { Constraint } from "./constraint.ts";
import type { FormRange, FunctionOfData, LineBound } from "./function_of_data.ts";
import { type CaseData, isFormRecord } from "./neighbour_cases.ts";
import type { AlignmentReport, ProvedCase } from "./prove_alignment.ts";
import type { CaseProof } from "./prove_case.ts";
import type { TraceTree } from "./trace_program.ts";

/** A form: coefficients in decimal by variable, the constant under "". */
type FormJson = Record<string, string>;

/** Places and multipliers. */
type CombinationJson = readonly (readonly [number, string])[];

/** What a certificate is about. */
export interface AlignmentCertified {
  /** The domain whose neighbours the cases are; without it a certificate is about those that it lists. */
  readonly domain?: Domain;
  /** The SHA-256 of the program's text, in hexadecimal. */
  readonly sha256?: string;
}

/**
 * Returns a certificate as JSON text: the paths of the program for each case, the shifts of noise, and the multipliers of each inequality.
 * `scripts/check_alignment.ts` checks it, and finds the cases of the domain again. That the paths are those of the program is not
 * certified: the tracing says so.
 *
 * The claim in it follows from fractions alone: where what was proved is a claim of tails or of Rényi divergences, it is what the noise
 * keeps, from which that one follows.
 *
 * @throws {RangeError} unless the claim holds, for one of pure and Gaussian noise together, for a relation that is not known by its name, and
 * for datasets that JSON cannot hold.
 */
export function alignmentCertificate(
  { report, details }: {
    readonly report: AlignmentReport;
    readonly details: readonly ProvedCase[];
  },
  { domain, sha256 }: AlignmentCertified = {},
): string {
  const cannot = (rule: string): RangeError =>
    new RangeError(`Cannot write a certificate: ${rule}`);
  if (report.verdict !== "holds") throw cannot("the claim must have been proved");
  if (!report.byFractions) {
    throw cannot(
      "the claim must follow from ε or μ alone, and this one follows from the law of the noise: certify what it says of --epsilon or --mu",
    );
  }
  if (!isKnown(report.claim.relation)) throw cannot("the relation must be known by its name");
  const certified = certifiedClaim(report);
  const cases = details.map(({ each, proof, laws }) => ({
    left: dataJson(each.left),
    right: dataJson(each.right),
    premises: each.premises.map(constraintJson),
    noise: Object.fromEntries(
      [...laws.entries()].map(([name, law]) => [
        name,
        { kind: law.kind, size: fractionText(law.kind === "gaussian" ? law.variance : law.rate) },
      ]),
    ),
    proof: proofJson(proof),
  }));
  if (!details.every(({ each }) => [each.left, each.right].every(isJson))) {
    throw cannot("datasets must be values that JSON can hold");
  }
  return JSON.stringify({
    dpcheck: "alignment certificate 2",
    program: { name: report.subject, sha256: sha256 ?? null },
    // In numbers, as it was decided.
    claim: claimToJSON(claimUnder(certified, certified)),
    domain: domain === undefined ? null : certifiedDomain(domain),
    cases,
  }) + "\n";
}

function isJson(data: CaseData): boolean {
  return !("value" in data) ||
    sameRow(JSON.parse(JSON.stringify(data.value) ?? "null"), data.value);
}

/** Returns the claim itself where fractions decide it, else that of the noise. */
function certifiedClaim({ claim, epsilon, mu }: AlignmentReport): Claim {
  const { relation } = claim;
  if (claim.kind === "renyi" || (claim.kind === "approximate" && mu > 0)) {
    if (mu === 0) return pure({ epsilon: Math.max(epsilon, Number.MIN_VALUE), relation });
    if (epsilon === 0) return gaussian({ mu, relation });
    throw new RangeError(
      "Cannot write a certificate: noise must be all Gaussian or not at all for a claim with δ",
    );
  }
  return claim;
}

function proofJson(proof: CaseProof): unknown {
  switch (proof.kind) {
    case "empty":
      return { empty: combinationJson(proof.why) };
    case "split":
      return {
        split: formJson(proof.form),
        above: proofJson(proof.above),
        other: proofJson(proof.other),
      };
    case "functions":
      return { functions: proof.made.map(functionJson), rest: proofJson(proof.rest) };
    case "leaf":
      return {
        left: treeJson(proof.left),
        right: treeJson(proof.right),
        classes: proof.alignment.classes.map(classJson),
      };
  }
}

function functionJson({ name, op, args, ranges, bounds, pairs }: FunctionOfData): unknown {
  return {
    name,
    op,
    args: args.map(formJson),
    ranges: ranges.map(rangeJson),
    lines: bounds.map(lineJson),
    pairs: pairs.map(({ other, ranges: changes, between, bounds: lines }) => ({
      other,
      ranges: changes.map(rangeJson),
      between: between.map((ends) => ends.map(fractionText)),
      lines: lines.map(lineJson),
    })),
  };
}

function rangeJson({ low, high, above, below }: FormRange): unknown {
  return {
    low: fractionText(low),
    high: fractionText(high),
    above: combinationJson(above),
    below: combinationJson(below),
  };
}

function lineJson({ isUpper, slopes, constant }: LineBound): unknown {
  return {
    upper: isUpper,
    slopes: slopes.map(fractionText),
    constant: fractionText(constant),
  };
}

function treeJson(tree: TraceTree): unknown {
  switch (tree.kind) {
    case "empty":
      return { empty: combinationJson(tree.why) };
    case "path":
      return { label: tree.path.output.label, released: tree.path.output.released.map(formJson) };
    case "branching": {
      const { kind, forms } = tree.branching;
      // Whether a form is above 0 is whether it is larger than 0.
      const compared = kind === "less" ? [forms[0]!, new Map()] : forms;
      return { forms: compared.map(formJson), ways: tree.ways.map(treeJson) };
    }
  }
}

function classJson({ left, right, outer, inner, shift }: AlignedClass): unknown {
  return {
    left: left.paths,
    right: right.paths,
    outer: outer.constraints.map(({ form }) => formJson(form)),
    included: outer.included?.map((each) => each.map(combinationJson)) ??
      [outer.constraints.map((_, place) => [[place, "1"]])],
    inner: inner.constraints.map(({ form }) => formJson(form)),
    excluded: inner.excluded?.map(([path, why]) => [path, combinationJson(why)]) ?? null,
    shift: Object.fromEntries([...shift.shift].map(([name, form]) => [name, formJson(form)])),
    mapped: shift.mapped.map(combinationJson),
    supported: Object.fromEntries(
      shift.supported.map(([name, why]) => [name, combinationJson(why)]),
    ),
    bounds: Object.fromEntries(
      shift.bounds.map(({ noise, bound, above, below }) => [
        noise,
        { bound: formJson(bound), above: combinationJson(above), below: combinationJson(below) },
      ]),
    ),
    epsilon: fractionText(shift.epsilon),
    total: combinationJson(shift.total),
  };
}

function dataJson(data: CaseData): unknown {
  return "value" in data ? { value: data.value } : {
    rows: data.rows.map((row) =>
      Array.isArray(row) ? row.map(formJson) : isFormRecord(row)
        ? {
          fields: row.fields.map(([name, field]) => [
            name,
            "form" in field ? { form: formJson(field.form) } : field,
          ]),
        }
        : formJson(row as Affine)
    ),
  };
}

function constraintJson({ form, strict }: Constraint): readonly [FormJson, boolean] {
  return [formJson(form), strict];
}

function combinationJson(combination: Combination): CombinationJson {
  return combination.map(([place, multiplier]) => [place, fractionText(multiplier)]);
}

function formJson(form: Affine): FormJson {
  return Object.fromEntries([...form].map(([name, value]) => [name, fractionText(value)]));
}
