import type { Claim } from "../../../core/claims/claim.ts";
import type { Dataset } from "../../../core/relations/dataset.ts";
import type { Mechanism } from "../../../core/mechanism/mechanism.ts";
import { seenKey } from "../../exact/enumeration/output_key.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import type { CheckedMechanism } from "./checked_mechanism.ts";
import { exceeds, lossAt, lossOfDraws, lossOfLaws } from "./claimed_loss.ts";
import type { Law, LawOutcome } from "./law.ts";
import { mayHaveChances } from "./same_law.ts";

/** Draws from either side of a pair at which its loss is computed, and those for a claim of a curve. */
const LOSS_DRAWS = 40, CURVE_DRAWS = 2_000;
/** Largest error of the sum of stated probabilities. */
const SUM_ROUNDING = 1e-9;
/** Outputs up to which a whole law is compared. */
const MOST_OUTPUTS = 5_000;

/** Draws against the law that is stated. */
export const statedLaw: Law<CheckedMechanism> = {
  name: "outputs come with the chances that distribution() and logDensity() state",
  advice:
    "compute distribution() and logDensity() of the output as it leaves sample(), rounding and bounds included",
  check({ mechanism, data, drawn }): LawOutcome {
    return breachOfDraws(mechanism, { data: data[0]!, drawn: drawn() });
  },
};

/** Draws on a dataset against the law that the mechanism states. */
export function breachOfDraws(
  mechanism: Mechanism,
  { data, drawn }: { readonly data: Dataset; readonly drawn: readonly unknown[] },
): LawOutcome {
  const law = lawOf(mechanism, data);
  if (law !== undefined) return lawBreach(mechanism, { data, law, drawn });
  if (mechanism.logDensity === undefined) return { skipped: "no law is stated" };
  // The first half says which outputs to count in the second.
  const half = drawn.length / 2, cells = new Map<string, number>();
  for (const output of drawn.slice(0, half).sort(byFirstNumber)) {
    cells.set(seenKey(output), Math.exp(mechanism.logDensity(output, data)));
  }
  if (cells.size > half / 2) {
    return { skipped: "outputs seldom repeat: the density cannot be compared with counts" };
  }
  const total = [...cells.values()].reduce((sum, chance) => sum + chance, 0);
  if (!(total <= 1 + SUM_ROUNDING)) {
    return { what: "The chances of some outputs sum to more than 1.", shown: { data, total } };
  }
  return mayHaveChances(drawn.slice(half).map(seenKey), cells) ? undefined : {
    what: `${half} draws do not have the chances that logDensity() states.`,
    shown: { data },
  };
}

/** The stated law of a mechanism, where it can be enumerated. */
function lawOf(
  mechanism: Mechanism,
  data: Dataset,
): ReturnType<NonNullable<Mechanism["distribution"]>> | undefined {
  try {
    return mechanism.distribution?.(data);
  } catch (error) {
    if (error instanceof RangeError && error.message.startsWith("Cannot enumerate")) {
      return undefined;
    }
    throw error;
  }
}

function lawBreach(
  mechanism: Mechanism,
  { data, law, drawn }: {
    readonly data: Dataset;
    readonly law: NonNullable<ReturnType<typeof lawOf>>;
    readonly drawn: readonly unknown[];
  },
): LawOutcome {
  const total = law.reduce((sum, { probability }) => sum + probability, 0);
  if (!(Math.abs(total - 1) <= SUM_ROUNDING)) {
    return { what: "The probabilities do not sum to 1.", shown: { data, total } };
  }
  for (const { output, probability } of law) {
    const log = mechanism.logDensity?.(output, data) ?? Math.log(probability);
    if (probability > 1e-280 && !(Math.abs(log - Math.log(probability)) <= 1e-6)) {
      return {
        what: "logDensity() and distribution() disagree.",
        shown: { data, output, probability, logDensity: log },
      };
    }
  }
  const cells = new Map<string, number>();
  for (const { output, probability } of law.toSorted((a, b) => byFirstNumber(a.output, b.output))) {
    const key = seenKey(output);
    if (cells.has(key)) {
      return { what: "distribution() lists an output twice.", shown: { data, output } };
    }
    cells.set(key, probability);
  }
  const keys = drawn.map(seenKey);
  const strange = keys.find((key) => !((cells.get(key) ?? 0) > 0));
  if (strange !== undefined) {
    return { what: "An output has no chance.", shown: { data, output: strange } };
  }
  return mayHaveChances(keys, cells) ? undefined : {
    what: `${keys.length} draws do not have the chances that distribution() states.`,
    shown: { data },
  };
}

/** Numbers, and lists by their first, in order; what has none stays where it is. */
function byFirstNumber(a: unknown, b: unknown): number {
  const [first, second] = [[a].flat()[0], [b].flat()[0]];
  return typeof first === "number" && typeof second === "number" ? first - second : 0;
}

/** The loss of pairs, computed from the law that is stated. */
export const loss: Law<CheckedMechanism> = {
  name: "no pair of neighbours loses more than the claim, or another in `alsoKeeps`, allows",
  advice:
    "more noise, a greater sensitivity, or a smaller claim; if the pair is none that the claim is about, mend " +
    "`domain` or the relation",
  check({ mechanism, pairs, seed, note }): LawOutcome {
    const source = new SeededSource(seed);
    const claims = [mechanism.claim, ...mechanism.alsoKeeps ?? []];
    let checked = false;
    for (const pair of pairs) {
      const one = statedOn(mechanism, pair.left), other = statedOn(mechanism, pair.right);
      for (const [left, right] of [[one, other], [other, one]] as const) {
        const shares = sharesLost(mechanism, { claims, left, right, source });
        if (shares === undefined) continue;
        checked = true;
        note(shares[0]!, pair);
        const index = shares.findIndex(exceeds);
        if (index < 0) continue;
        const { relation, ...claim } = claims[index]!;
        return {
          what: `A pair loses ${shares[index]!.toPrecision(4)} times what ${
            index === 0 ? "the claim" : "alsoKeeps"
          } allows.`,
          shown: {
            claim: { ...claim, relation: relation.name },
            left: left.data,
            right: right.data,
          },
        };
      }
    }
    return checked
      ? undefined
      : { skipped: "neither distribution() nor logDensity() is there, or no neighbours" };
  },
};

/** A dataset with the law that is stated on it, where that can be enumerated: outputs and logarithms of their chances. */
interface StatedOn {
  readonly data: Dataset;
  readonly law: { readonly keys: readonly string[]; readonly logs: readonly number[] } | undefined;
}

function statedOn(mechanism: Mechanism, data: Dataset): StatedOn {
  const law = lawOf(mechanism, data);
  if (law === undefined) return { data, law };
  return {
    data,
    law: {
      keys: law.map(({ output }) => seenKey(output)),
      logs: law.map(({ probability }) => Math.log(probability)),
    },
  };
}

/** The logarithms of the density of an output on the left and on the right. */
type Logs = readonly [left: number, right: number];

/** The share of each claim that the left side of a pair loses; `undefined` where no law is stated. */
function sharesLost(
  mechanism: Mechanism,
  { claims, left, right, source }: {
    readonly claims: readonly Claim[];
    readonly left: StatedOn;
    readonly right: StatedOn;
    readonly source: SeededSource;
  },
): number[] | undefined {
  if (left.law !== undefined && left.law.keys.length <= MOST_OUTPUTS && right.law !== undefined) {
    const { keys, logs } = right.law, others = new Map(keys.map((key, i) => [key, logs[i]!]));
    const laws = {
      left: left.law.logs,
      right: left.law.keys.map((key) => others.get(key) ?? -Infinity),
    };
    return claims.map((claim) => lossOfLaws(claim, laws));
  }
  if (mechanism.logDensity === undefined) return undefined;
  // The same draws serve all claims.
  const count = claims.every(({ kind }) => kind === "pure") ? LOSS_DRAWS : CURVE_DRAWS;
  const logsAt = (output: unknown): Logs => [
    mechanism.logDensity!(output, left.data),
    mechanism.logDensity!(output, right.data),
  ];
  // Numbers of a grid repeat, and a density may take long.
  const known = new Map<number, Logs>();
  const logs = Array.from({ length: count }, (): Logs => {
    const output = mechanism.sample(left.data, source);
    if (typeof output !== "number" || Object.is(output, -0)) return logsAt(output);
    let found = known.get(output);
    if (found === undefined) known.set(output, found = logsAt(output));
    return found;
  });
  return claims.map((claim) =>
    claim.kind === "pure"
      ? Math.max(0, ...logs.map(([log, other]) => lossAt(log, other))) / claim.epsilon
      : lossOfDraws(claim, logs.map(([log, other]) => log - other))
  );
}
