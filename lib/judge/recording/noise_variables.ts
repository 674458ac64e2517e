import { baseOf, identifyLaw } from "./noise_law.ts";
import type { Atom, NoiseLaw } from "./recording.ts";

/** Noise that is shifted as one: an atom, or a sum of atoms that a program reads in no other way. */
export interface NoiseVariable {
  readonly law: Exclude<NoiseLaw, "derived"> | "discrete Laplace" | "unknown";
  /** The chance of success of geometric noise. */
  readonly p?: number;
  /** Where it was drawn. */
  readonly at: string;
  /** Of noise that is rounded: the least shift that keeps it on whole numbers, of which all others are multiples. */
  readonly step?: number;
  /** Whether it is rounded towards zero, which joins the numbers on both sides of 0. */
  readonly isCut?: boolean;
}

/** Values over variables in place of atoms. */
export interface InVariables {
  /** The coefficients of each value. */
  readonly terms: readonly Map<number, number>[];
  readonly variables: readonly NoiseVariable[];
  /** Whether a scale was found by sampling. */
  readonly isSampled: boolean;
  /** Where noise was drawn of which several variables are made: the law of one given the others is not known. */
  readonly inParts: Atom | undefined;
}

/** Ratios that differ by no more than this are equal. */
const ROUNDING = 1e-9;

/** An atom, and its coefficient as a multiple of that of the first atom of its group. */
type Member = readonly [atom: number, ratio: number];

/**
 * Values as forms of variables: atoms that stand in the same values in the same proportion are one variable where their sum has a law that
 * is known, as the difference of two exponential variables, or what a sampler makes of several uniform ones.
 */
export function inVariables(
  values: readonly ReadonlyMap<number, number>[],
  atoms: readonly Atom[],
): InVariables {
  const terms = values.map(() => new Map<number, number>());
  const variables: NoiseVariable[] = [];
  const partOf = new Map<number, number>();
  let isSampled = false, inParts: Atom | undefined;
  for (const { rows, first, members } of groupsOf(values)) {
    for (const { members: own, law, scale, p, sampled, ...rest } of variablesOf(members, atoms)) {
      const variable = variables.length;
      variables.push({
        law,
        at: atoms[own[0]![0]]!.at,
        ...(p === undefined ? {} : { p }),
        ...rest,
      });
      isSampled ||= sampled;
      for (const row of rows) {
        terms[row]!.set(variable, values[row]!.get(first)! * own[0]![1] * scale);
      }
      for (const base of own.flatMap(([atom]) => baseOf(atom, atoms))) {
        if ((partOf.get(base) ?? variable) !== variable) inParts ??= atoms[base]!;
        partOf.set(base, variable);
      }
    }
  }
  return { terms, variables, isSampled, inParts };
}

/** Atoms that stand in the same values in the same proportion. */
function groupsOf(
  values: readonly ReadonlyMap<number, number>[],
): { readonly rows: readonly number[]; readonly first: number; readonly members: Member[] }[] {
  const rowsOf = new Map<number, number[]>();
  values.forEach((value, row) => {
    for (const atom of value.keys()) rowsOf.set(atom, [...rowsOf.get(atom) ?? [], row]);
  });
  const groups: { rows: number[]; first: number; members: Member[] }[] = [];
  const byRows = new Map<string, typeof groups>();
  for (const [atom, rows] of [...rowsOf].sort(([a], [b]) => a - b)) {
    const alike = byRows.get(rows.join()) ?? [];
    const ratioTo = (first: number): number | undefined => {
      const ratios = rows.map((row) => values[row]!.get(atom)! / values[row]!.get(first)!);
      const isCommon = ratios.every((ratio) =>
        Math.abs(ratio - ratios[0]!) <= ROUNDING * Math.abs(ratios[0]!)
      );
      return isCommon ? ratios[0] : undefined;
    };
    const group = alike.find(({ first }) => ratioTo(first) !== undefined);
    if (group !== undefined) group.members.push([atom, ratioTo(group.first)!]);
    else {
      const own = { rows, first: atom, members: [[atom, 1]] as Member[] };
      groups.push(own);
      byRows.set(rows.join(), [...alike, own]);
    }
  }
  return groups;
}

/** A variable, with the members that it is made of; `scale` is relative to the first of them. */
interface Made {
  readonly members: readonly Member[];
  readonly law: NoiseVariable["law"];
  readonly scale: number;
  readonly p?: number | undefined;
  readonly sampled: boolean;
  readonly step?: number;
  readonly isCut?: boolean;
}

const ROUNDED: ReadonlySet<string | undefined> = new Set(["floor", "ceil", "rint", "trunc"]);

function variablesOf(members: readonly Member[], atoms: readonly Atom[]): Made[] {
  const lawOf = ([atom]: Member): NoiseLaw => atoms[atom]!.law;
  const left = [...members], made: Made[] = [];
  for (let i = 0; i < left.length; i++) {
    const [atom, ratio] = left[i]!, { law, p } = atoms[atom]!;
    if (law !== "exponential" && law !== "geometric") continue;
    const j = left.findIndex(([other, opposite], k) =>
      k > i && atoms[other]!.law === law && atoms[other]!.p === p &&
      Math.abs(opposite + ratio) <= ROUNDING * Math.abs(ratio)
    );
    if (j < 0) continue;
    made.push({
      members: [left[i]!, left[j]!],
      law: law === "exponential" ? "laplace" : "discrete Laplace",
      scale: 1,
      p,
      sampled: false,
    });
    left.splice(j, 1);
    left.splice(i--, 1);
  }
  const single = (member: Member): Made => {
    const law = lawOf(member);
    if (law !== "derived") {
      return { members: [member], law, scale: 1, p: atoms[member[0]]!.p, sampled: false };
    }
    return rounded(member, atoms) ?? identified([member], atoms);
  };
  const derived = left.filter((member) => ["derived", "uniform"].includes(lawOf(member)));
  const others = left.filter((member) => !derived.includes(member));
  made.push(...others.map(single));
  if (derived.length > 1) {
    const together = identified(derived, atoms);
    if (together.law !== "unknown") return [...made, together];
  }
  return [...made, ...derived.map(single)];
}

/** Noise that is rounded moves by whole numbers as what is rounded does. */
function rounded([atom, ratio]: Member, atoms: readonly Atom[]): Made | undefined {
  const { function: name, of: [given] = [] } = atoms[atom]!;
  if (!ROUNDED.has(name) || given === undefined || typeof given === "number") return undefined;
  const [made, ...others] = variablesOf(given[1], atoms);
  if (
    made === undefined || others.length > 0 || made.law === "unknown" || made.step !== undefined
  ) return undefined;
  const scale = Math.abs(made.members[0]![1] * made.scale);
  return {
    ...made,
    members: [[atom, ratio]],
    scale,
    step: 1 / scale,
    ...(name === "trunc" ? { isCut: true } : {}),
  };
}

function identified(members: readonly Member[], atoms: readonly Atom[]): Made {
  const unit = members[0]![1];
  const { law, scale } = identifyLaw(members.map(([atom, ratio]) => [atom, ratio / unit]), atoms);
  return { members, law, scale: law === "unknown" ? 1 : scale, sampled: true };
}
