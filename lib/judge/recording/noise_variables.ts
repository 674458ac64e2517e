import { areIndependentParts, lawOfAtom, type LawOfForm, lawOfForm } from "./law_of_form.ts";
import { baseOf, identifyLaw } from "./noise_law.ts";
import type { Atom, NoiseLaw } from "./recording.ts";

/** Noise that is shifted as one: an atom, or a sum of atoms that a program reads in no other way. */
export interface NoiseVariable {
  readonly law: Exclude<NoiseLaw, "derived"> | "cauchy" | "discrete Laplace" | "unknown";
  /** The chance of success of geometric noise. */
  readonly p?: number;
  /** The middle of the noise, in units of its scale. Default 0. */
  readonly middle?: number;
  /** Where it was drawn: where it is made of several draws, the last of them. */
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
 * Returns values as forms of variables: atoms that stand in the same values in the same proportion are one variable where their sum has a law that
 * is known, as the difference of two exponential variables, or what a sampler makes of several uniform ones.
 */
export function inVariables(
  values: readonly ReadonlyMap<number, number>[],
  atoms: readonly Atom[],
): InVariables {
  const terms = values.map(() => new Map<number, number>());
  const variables: NoiseVariable[] = [];
  const partOf = new Map<number, { readonly variable: number; readonly name: string }>();
  let isSampled = false, inParts: Atom | undefined;
  for (const { rows, first, members } of groupsOf(values)) {
    for (
      const { members: own, law, scale, p, sampled, bases, ...rest } of variablesOf(members, atoms)
    ) {
      const variable = variables.length, drawn = own.flatMap(([atom]) => baseOf(atom, atoms));
      // A function of plain numbers has no base.
      const last = Math.max(...drawn.length > 0 ? drawn : own.map(([atom]) => atom));
      variables.push({
        law,
        at: atoms[last]!.at,
        ...(p === undefined ? {} : { p }),
        ...rest,
      });
      isSampled ||= sampled;
      for (const row of rows) {
        terms[row]!.set(variable, values[row]!.get(first)! * own[0]![1] * scale);
      }
      for (const base of drawn) {
        const name = bases?.get(base) ?? "", other = partOf.get(base);
        if (other !== undefined && other.variable !== variable) {
          if (!areIndependentParts(other.name, name)) inParts ??= atoms[base]!;
        }
        partOf.set(base, { variable, name });
      }
    }
  }
  return { terms, variables, isSampled, inParts };
}

/** Returns atoms that stand in the same values in the same proportion. */
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
  readonly middle?: number;
  readonly sampled: boolean;
  readonly step?: number;
  readonly isCut?: boolean;
  /** The base noise of a law that its form tells. */
  readonly bases?: ReadonlyMap<number, string>;
}

/** Members of a group that share base noise with no others of it, with their law where its form tells it. */
interface Part {
  readonly members: readonly Member[];
  readonly law: LawOfForm | undefined;
}

const ROUNDED: ReadonlySet<string | undefined> = new Set(["floor", "ceil", "rint", "trunc"]);

function variablesOf(members: readonly Member[], atoms: readonly Atom[]): Made[] {
  const left = partsOf(members, atoms), made: Made[] = [];
  for (let i = 0; i < left.length; i++) {
    const { members: own, law } = left[i]!;
    if (law?.law !== "exponential" && law?.law !== "geometric") continue;
    const j = left.findIndex(({ law: other }, k) =>
      k > i && other?.law === law.law && isEqual(other.p ?? 0, law.p ?? 0) &&
      isEqual(other.scale, -law.scale)
    );
    if (j < 0) continue;
    const other = left[j]!;
    made.push({
      members: [...own, ...other.members],
      law: law.law === "exponential" ? "laplace" : "discrete Laplace",
      scale: law.scale / own[0]![1],
      ...middleOf({ ...law, middle: law.middle + other.law!.middle }),
      p: law.p,
      sampled: false,
    });
    left.splice(j, 1);
    left.splice(i--, 1);
  }
  const isDerived = ({ members }: Part): boolean =>
    ["derived", "uniform"].includes(atoms[members[0]![0]]!.law);
  const derived = left.filter(isDerived);
  made.push(...left.filter((part) => !isDerived(part)).map((part) => single(part, atoms)));
  const isKnown = ({ law }: Part): boolean => law !== undefined && law.law !== "uniform";
  const all = derived.flatMap(({ members }) => members);
  if (all.length > 1) {
    const together = ofForm(all, lawOfForm([0, all], atoms)) ??
      (derived.every(isKnown) ? undefined : identified(all, atoms));
    // One of several uniform numbers pays for more than their sum does: where nothing else covers a change, the sum's law is needed.
    const isOfBounded = made.length === 0 && !derived.some(isKnown);
    if (together !== undefined && (together.law !== "unknown" || isOfBounded)) {
      return [...made, together];
    }
  }
  return [...made, ...derived.map((part) => single(part, atoms))];
}

/** Members in parts that share no base noise, but for coordinates of one point, which are independent. */
function partsOf(members: readonly Member[], atoms: readonly Atom[]): Part[] {
  const parts: { members: Member[]; bases: Map<number, string> }[] = [];
  for (const member of members) {
    const law = lawOfAtom(member[0], atoms);
    const bases = new Map(
      law?.bases ?? baseOf(member[0], atoms).map((base) => [base, ""] as const),
    );
    const own = { members: [member], bases };
    for (const part of [...parts]) {
      const isApart = [...part.bases].every(([base, name]) =>
        !bases.has(base) || areIndependentParts(name, bases.get(base)!)
      );
      if (isApart) continue;
      own.members.unshift(...part.members);
      for (const [base] of part.bases) bases.set(base, "");
      parts.splice(parts.indexOf(part), 1);
    }
    parts.push(own);
  }
  return parts.map(({ members: own }) => ({ members: own, law: lawOfForm([0, own], atoms) }));
}

/** Returns a variable of a law that its form tells. */
function ofForm(members: readonly Member[], law: LawOfForm | undefined): Made | undefined {
  return law && {
    members,
    law: law.law,
    scale: law.scale / members[0]![1],
    ...middleOf(law),
    p: law.p,
    sampled: false,
    bases: law.bases,
  };
}

function middleOf({ middle, scale }: LawOfForm): Pick<Made, "middle"> {
  return middle === 0 ? {} : { middle: middle / scale };
}

function isEqual(a: number, b: number): boolean {
  return Math.abs(a - b) <= ROUNDING * Math.abs(b);
}

function single({ members, law }: Part, atoms: readonly Atom[]): Made {
  const [member] = members;
  const own = members.length === 1 ? rounded(member!, atoms) : undefined;
  return own ?? ofForm(members, law) ?? identified(members, atoms);
}

/** Returns the variable of rounded noise, which moves by whole numbers as what is rounded does. */
function rounded([atom, ratio]: Member, atoms: readonly Atom[]): Made | undefined {
  const { law, function: name, of: [given] = [] } = atoms[atom]!;
  if (law !== "derived" || !ROUNDED.has(name)) return undefined;
  if (given === undefined || typeof given === "number") return undefined;
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
