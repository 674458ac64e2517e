import { bareJson } from "../../core/text/bare_json.ts";
import type { Claim } from "../../core/claims/claim.ts";
import { compareRuns } from "./comparison/compare_runs.ts";
import type { Comparison, Observation } from "./comparison/observation.ts";
import { forceAll, type NotForced } from "./forced_paths.ts";
import { composed, type Loss, NO_LOSS, parameterOf, shareOf } from "./loss.ts";
import { lawOfAtom } from "./law_of_form.ts";
import { baseOf, identifyLaw } from "./noise_law.ts";
import {
  type Atom,
  type Form,
  type Place,
  placeAlone,
  type Read,
  type Recorder,
  type Recording,
} from "./recording.ts";
import { leastOf } from "./shifts.ts";

/** The most ways of a dataset that are run, and the most kinds of them that are compared. */
const MOST_WAYS = 256, MOST_KINDS = 64;
/** What is worth so many times what is known to be enough is no part of a linear program, which would lose its digits. */
const MOST_WORTH = 1e4;
/** Chances are equal up to this. */
const ROUNDING = 1e-12;

/** What a pair shows where each discrete choice is kept by its outcome: what the noise after it reads. */
export interface OutcomesInBetween {
  /** The loss as a multiple of the claim; `Infinity` where some outcome of one side has none like it on the other. */
  readonly share: number;
  readonly loss: Loss;
  readonly worst: Observation | undefined;
  /** Number of values with a loss. */
  readonly costs: number;
  /** Where all outcomes of both sides show that a declaration is broken: the one that does least. */
  readonly broken: Observation | undefined;
  /** The runs that show it. */
  readonly runs: readonly [Recording, Recording];
  readonly ways: number;
}

/** Runs of one side that read and put out the same. */
interface Kind {
  chance: number;
  readonly run: Recording;
}

/**
 * Compares two datasets of a program that draws discretely before it adds noise or calls declared mechanisms. All outcomes of the draws are
 * forced on both, and the outcomes of one side are coupled with those of the other that read the same noise: for a pure claim by the linear
 * program whose least value is e^ε, for others where each has one of its own.
 */
export async function compareOutcomes(
  recorder: Recorder,
  { datasets, ...request }: {
    readonly datasets: readonly [unknown, unknown];
    readonly seed: number;
    readonly meet: boolean;
    readonly asReads: readonly string[];
    readonly keep: number;
  },
  { claim, areNested, choice }: {
    readonly claim: Claim;
    readonly areNested: boolean;
    /** The first choice. */
    readonly choice: Place;
  },
): Promise<OutcomesInBetween | NotForced | { readonly asReads: readonly string[] }> {
  const sides: Kind[][] = [];
  let ways = 0;
  for (const data of datasets) {
    const kinds = new Map<string, Kind>();
    const run = (force: readonly (readonly number[])[]): Promise<readonly Recording[]> =>
      recorder.record({ ...request, datasets: [data], order: force.map(() => 0), force });
    const all = await forceAll(run, {
      most: MOST_WAYS,
      onRun({ run: one, chance }): void {
        const own = renumbered(one), key = keyOf(own), known = kinds.get(key);
        if (known === undefined) kinds.set(key, { chance, run: own });
        else known.chance += chance;
      },
    });
    if ("reason" in all) return all;
    ways += all.paths;
    const merged = withRandomSigns([...kinds.values()]);
    if (merged.length > MOST_KINDS) {
      return { reason: `its draws have more than ${MOST_KINDS} outcomes`, always: false };
    }
    sides.push(merged);
  }
  return await coupled(sides as [Kind[], Kind[]], { claim, areNested, choice, ways });
}

async function coupled(
  [left, right]: readonly [Kind[], Kind[]],
  { claim, areNested, choice, ways }: {
    readonly claim: Claim;
    readonly areNested: boolean;
    readonly choice: Place;
    readonly ways: number;
  },
): Promise<OutcomesInBetween | NotForced | { readonly asReads: readonly string[] }> {
  const compared: Comparison[][] = [];
  const asReads = new Set<string>();
  for (const { run } of left) {
    const row: Comparison[] = [];
    for (const other of right) {
      const apart = apartAt(run, other.run);
      const second = apart === undefined ? other.run : { ...other.run, apart };
      const comparison = await compareRuns(run, second, { areNested });
      for (const place of comparison.asReads) asReads.add(place);
      row.push(comparison);
    }
    compared.push(row);
  }
  if (asReads.size > 0) return { asReads: [...asReads] };
  const breaks = compared.flat().map(({ observations }) =>
    observations.find(({ kind }) => kind === "declaration-broken")
  );
  const [broken] = breaks.every((one) => one !== undefined)
    ? breaks.toSorted((a, b) => (a!.change ?? Infinity) - (b!.change ?? Infinity))
    : [];
  const shown = (
    i: number,
    j: number,
    { share, loss, ofDraws = 0 }: Pick<OutcomesInBetween, "share" | "loss"> & {
      readonly ofDraws?: number;
    },
  ): OutcomesInBetween => {
    const { observations } = compared[i]![j]!;
    const grave = observations.find(({ kind }) => !isCost(kind));
    const drawn = ofDraws <= ROUNDING ? [] : [{
      kind: "shift" as const,
      ...placeAlone(choice),
      law: "draw",
      loss: { ...NO_LOSS, pure: [ofDraws] },
    }];
    const costly = [...drawn, ...observations.filter(({ loss }) => loss !== NO_LOSS)]
      .sort((a, b) => shareOf(b.loss, claim) - shareOf(a.loss, claim));
    return {
      share,
      loss,
      worst: (Number.isFinite(share) ? undefined : grave) ?? costly[0],
      costs: costly.length,
      broken,
      runs: [left[i]!.run, right[j]!.run],
      ways,
    };
  };
  const uncovered = compared.findIndex((row) => row.every((one) => !isCovered(one)));
  // What is not followed may cover what nothing else does.
  const unfollowed = compared.flat().flatMap(({ observations, redrawnAt }) => [
    ...observations.flatMap(({ kind, detail }) => kind === "not-followed" ? [detail!] : []),
    ...redrawnAt === undefined ? [] : ["noise is drawn again until it fits"],
  ])[0];
  if (uncovered >= 0) {
    if (unfollowed !== undefined) return { reason: unfollowed, always: false };
    const nearest = compared[uncovered]!.findIndex(({ observations }) =>
      observations.every(({ kind }) => kind !== "control-flow")
    );
    return shown(uncovered, Math.max(0, nearest), { share: Infinity, loss: NO_LOSS });
  }
  if (claim.kind === "pure") {
    const costs = compared.map((row) =>
      row.map((one) => isCovered(one) ? parameterOf(one.loss, claim) : Infinity)
    );
    const least = await leastFactor(left.map(chanceOf), right.map(chanceOf), costs);
    const factor = least?.factor ?? Infinity;
    if (factor > Math.exp(claim.epsilon) && unfollowed !== undefined) {
      return { reason: unfollowed, always: false };
    }
    if (least === undefined) return shown(0, 0, { share: Infinity, loss: NO_LOSS });
    const [i, j] = least.from;
    const loss = { ...NO_LOSS, pure: [Math.log(Math.max(1, factor))] };
    const ofDraws = loss.pure[0]! - costs[i]![j]!;
    return shown(i, j, { share: shareOf(loss, claim), loss, ofDraws });
  }
  const partners = compared.map((row) =>
    row.map((one, j) => [isCovered(one) ? shareOf(one.loss, claim) : Infinity, j] as const)
      .sort(([a], [b]) => a - b)[0]!
  );
  if (new Set(partners.map(([, j]) => j)).size < Math.max(left.length, right.length)) {
    return { reason: "its draws have other outcomes on the other side", always: false };
  }
  const ratios = partners.map(([, j], i) => Math.abs(Math.log(left[i]!.chance / right[j]!.chance)));
  const draws = Math.max(...ratios);
  const i = partners.reduce((most, [share], k) => share > partners[most]![0] ? k : most, 0);
  const [, j] = partners[i]!;
  const loss = composed(
    compared[i]![j]!.loss,
    draws > ROUNDING ? { ...NO_LOSS, pure: [draws] } : NO_LOSS,
  );
  return shown(i, j, { share: shareOf(loss, claim), loss, ofDraws: draws });
}

/** Returns the first read that is of another kind, or has other noise; `undefined` where all are alike. */
function apartAt(first: Recording, second: Recording): Recording["apart"] {
  const length = Math.max(first.reads.length, second.reads.length);
  for (let read = 0; read < length; read++) {
    const [a, b] = [first.reads[read], second.reads[read]];
    const [expected, met] = [a, b].map((own) =>
      own === undefined ? null : { kind: own.kind, shape: own.shape, ...placeAlone(own) }
    );
    const isAlike = a !== undefined && b !== undefined && a.kind === b.kind &&
      a.forms.length === b.forms.length && bareJson(a.shape) === bareJson(b.shape) &&
      atomsIn(a, first.atoms) === atomsIn(b, second.atoms);
    if (!isAlike) return { read, expected: expected!, met: met! };
  }
  return undefined;
}

/** Returns the laws of the noise of a read. Functions of noise at one line that have other arguments are for the comparison to find. */
function atomsIn({ forms }: Read, atoms: readonly Atom[]): string {
  const laws = forms.flatMap(([, terms]) => terms.map(([i]) => atoms[i]!)).map((atom) =>
    atom.law === "derived" ? [atom.function, atom.at] : [atom.law, atom.p ?? 0]
  );
  return bareJson(laws)!;
}

function chanceOf({ chance }: Kind): number {
  return chance;
}

/** Returns true if noise pays for a difference of this kind. */
function isCost(kind: Observation["kind"]): boolean {
  return kind === "shift" || kind === "bounded-noise";
}

/** Returns true if noise covers all that differs; a declared mechanism pays for a change beyond its sensitivity, too. */
function isCovered({ observations }: Comparison): boolean {
  return observations.every(({ kind }) => isCost(kind) || kind === "declaration-broken");
}

/**
 * Returns the least factor by which outcomes of the left side can be more probable than on the right: mass x of outcome i that is coupled with
 * outcome j is worth e^cost there. Also a pair that is coupled and pays most.
 */
async function leastFactor(
  left: readonly number[],
  right: readonly number[],
  costs: readonly (readonly number[])[],
): Promise<{ readonly factor: number; readonly from: readonly [number, number] } | undefined> {
  const worths = left.map((p, i) => right.map((q, j) => p / q * Math.exp(costs[i]![j]!)));
  // Each outcome with the cheapest one of the other side gives a bound; what is worth far more is no way to go below it.
  const bounds = right.map(() => 0);
  for (const row of worths) {
    const least = Math.min(...row);
    if (!Number.isFinite(least)) return undefined;
    bounds[row.indexOf(least)]! += least;
  }
  const most = MOST_WORTH * Math.max(...bounds);
  const finite = worths.map((row) => row.flatMap((worth, j) => worth <= most ? [j] : []));
  let share = (_: number, __: number): number => 1;
  if (finite.some((row) => row.length > 1)) {
    // The format limits the length of lines.
    const lines = ["Minimize", " obj: t", "Subject To"];
    finite.forEach((row, i) => lines.push(` r${i}:`, ...row.map((j) => `+ x${i}_${j}`), " = 1"));
    right.forEach((_, j) => {
      const own = finite.flatMap((row, i) =>
        row.includes(j) ? [`+ ${worths[i]![j]} x${i}_${j}`] : []
      );
      if (own.length > 0) lines.push(` c${j}:`, ...own, " - t <= 0");
    });
    const solution = await leastOf([...lines, "End", ""].join("\n"));
    if (solution === undefined) return undefined;
    share = (i, j) => solution[`x${i}_${j}`] ?? 0;
  }
  const sums = right.map(() => 0);
  let from: readonly [number, number] = [0, finite[0]![0]!], costliest = -Infinity;
  finite.forEach((row, i) => {
    for (const j of row) {
      const part = share(i, j);
      sums[j]! += part * worths[i]![j]!;
      if (part > USED && costs[i]![j]! > costliest) {
        costliest = costs[i]![j]!;
        from = [i, j];
      }
    }
  });
  return { factor: Math.max(...sums), from };
}

/** Shares of a coupling below this are rounding of the linear program. */
const USED = 1e-6;

/** Returns a run whose atoms are those that it reads, numbered in the order in which they appear: other ways to draw have other numbers. */
function renumbered({ atoms, reads, path: _, ...run }: Recording): Recording {
  const numbers = new Map<number, number>(), own: Atom[] = [];
  const atomOf = (i: number): number => {
    const known = numbers.get(i);
    if (known !== undefined) return known;
    const atom = atoms[i]!,
      of = atom.of?.map((part) => typeof part === "number" ? part : formOf(part));
    const number = own.push(of === undefined ? atom : { ...atom, of }) - 1;
    numbers.set(i, number);
    return number;
  };
  const formOf = ([v, terms]: Form): Form => [v, terms.map(([i, c]) => [atomOf(i), c])];
  return withExponentials({
    ...run,
    atoms: own,
    reads: reads.map((read) => ({ ...read, forms: read.forms.map(formOf) })),
  });
}

/** Returns a run in which functions of noise that are exponential by their form, and share their noise with nothing, are so by name. */
function withExponentials(run: Recording): Recording {
  const { atoms, reads } = run;
  const read = new Set(
    reads.flatMap(({ forms }) => forms.flatMap(([, terms]) => terms.map(([i]) => i))),
  );
  const uses = new Map<number, number>();
  for (const base of [...read].flatMap((i) => [...new Set(baseOf(i, atoms))])) {
    uses.set(base, (uses.get(base) ?? 0) + 1);
  }
  let own = run;
  for (const i of read) {
    const law = atoms[i]!.law === "derived" ? lawOfAtom(i, atoms) : undefined;
    if (law?.law !== "exponential" || law.middle !== 0) continue;
    if ([...law.bases.keys()].some((base) => uses.get(base) !== 1)) continue;
    const named = { law: "exponential" as const, ...placeAlone(atoms[i]) };
    own = {
      ...scaled(own, i, law.scale),
      atoms: own.atoms.map((atom, k) => k === i ? named : atom),
    };
  }
  return own === run ? run : withoutUnread(own);
}

/** Returns a run whose atoms are those that stand in its reads alone. */
function withoutUnread(run: Recording): Recording {
  const needed = new Set<number>();
  const need = (i: number): void => {
    needed.add(i);
    for (const part of run.atoms[i]!.of ?? []) {
      if (typeof part !== "number") part[1].forEach(([inner]) => need(inner));
    }
  };
  for (const { forms } of run.reads) {
    for (const [, terms] of forms) terms.forEach(([i]) => need(i));
  }
  const kept = [...needed].toSorted((a, b) => a - b);
  const numbers = new Map(kept.map((i, k) => [i, k]));
  const formOf = ([v, terms]: Form): Form => [v, terms.map(([i, c]) => [numbers.get(i)!, c])];
  return {
    ...run,
    atoms: kept.map((i): Atom => {
      const { of, ...atom } = run.atoms[i]!;
      if (of === undefined) return atom;
      return { ...atom, of: of.map((part) => typeof part === "number" ? part : formOf(part)) };
    }),
    reads: run.reads.map((read) => ({ ...read, forms: read.forms.map(formOf) })),
  };
}

function keyOf({ atoms, reads, output, error, notFollowed }: Recording): string {
  return bareJson([atoms, reads, output, error ?? null, notFollowed ?? null])!;
}

/** Returns a run without its places: a sign may be drawn by going to another line. */
function wayOf({ atoms, reads, ...run }: Recording): string {
  const without = ({ at: _, in: __, ...rest }: Place): unknown => ({ ...rest, made: undefined });
  return keyOf({ ...run, atoms: atoms.map(without), reads: reads.map(without) } as Recording);
}

/** Kinds with those joined that differ by the sign of one-sided noise alone, and are as probable: their noise goes both ways. */
function withRandomSigns(kinds: Kind[]): Kind[] {
  for (const [k, kind] of kinds.entries()) {
    const way = wayOf(kind.run);
    for (const other of kinds.slice(k + 1)) {
      if (Math.abs(kind.chance - other.chance) > ROUNDING) continue;
      const atom = kind.run.atoms.findIndex((_, i) => wayOf(turned(other.run, i)) === way);
      const scale = atom < 0 ? undefined : oneSidedScale(atom, kind.run.atoms);
      if (scale === undefined) continue;
      const run = {
        ...scaled(kind.run, atom, scale),
        atoms: kind.run.atoms.map((own, i) =>
          i === atom ? { law: "laplace" as const, ...placeAlone(own) } : own
        ),
      };
      return withRandomSigns([
        ...kinds.filter((own) => own !== kind && own !== other),
        { chance: kind.chance + other.chance, run },
      ]);
    }
  }
  return kinds;
}

function turned(run: Recording, atom: number): Recording {
  return scaled(run, atom, -1);
}

/** Returns a run in which an atom has other coefficients. */
function scaled(run: Recording, atom: number, by: number): Recording {
  const formOf = (
    [v, terms]: Form,
  ): Form => [v, terms.map(([i, c]) => [i, i === atom ? c * by : c])];
  return { ...run, reads: run.reads.map((read) => ({ ...read, forms: read.forms.map(formOf) })) };
}

/** Returns the scale of noise that is exponential; `undefined` for all other noise. */
function oneSidedScale(atom: number, atoms: readonly Atom[]): number | undefined {
  const own = lawOfAtom(atom, atoms);
  if (own !== undefined) {
    return own.law === "exponential" && own.middle === 0 ? Math.abs(own.scale) : undefined;
  }
  const known = identifyLaw([[atom, 1]], atoms);
  return known.law === "exponential" ? known.scale : undefined;
}
