import type { Dataset } from "../../../core/relations/dataset.ts";
import type { Mechanism } from "../../../core/mechanism/mechanism.ts";
import { seenKey } from "../../exact/enumeration/output_key.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import { type CheckedMechanism, DRAWS } from "./checked_mechanism.ts";
import { exceeds, lossAt, lossOfDraws, lossOfLaws } from "./claimed_loss.ts";
import type { Law, LawOutcome } from "./law.ts";
import { mayHaveChances } from "./same_law.ts";

/** Draws from either side of a pair at which its loss is computed, and those for a claim of a curve. */
const LOSS_DRAWS = 40, CURVE_DRAWS = 2_000;
/** What stated chances may sum to beside 1. */
const SUM_ROUNDING = 1e-9;
/** Outputs up to which a whole law is compared. */
const MOST_OUTPUTS = 5_000;

/** Draws against the law that is stated. */
export const statedLaw: Law<CheckedMechanism> = {
  name: "outputs come with the chances that distribution() and logDensity() state",
  advice:
    "compute distribution() and logDensity() of the output as it leaves sample(), rounding and bounds included",
  check({ mechanism, data, seed }): LawOutcome {
    const valid = data[0]!, source = new SeededSource(seed);
    const drawn = Array.from({ length: DRAWS }, () => mechanism.sample(valid, source));
    return breachOfDraws(mechanism, { data: valid, drawn });
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
    let checked = false;
    for (const pair of pairs) {
      for (const [left, right] of [[pair.left, pair.right], [pair.right, pair.left]] as const) {
        for (const [index, claim] of [mechanism.claim, ...mechanism.alsoKeeps ?? []].entries()) {
          const share = lossOf(mechanism, { claim, left, right, source });
          if (share === undefined) continue;
          checked = true;
          if (index === 0) note(share, pair);
          if (exceeds(share)) {
            return {
              what: `A pair loses ${share.toPrecision(4)} times what ${
                index === 0 ? "the claim" : "alsoKeeps"
              } allows.`,
              shown: { claim: { ...claim, relation: claim.relation.name }, left, right },
            };
          }
        }
      }
    }
    return checked
      ? undefined
      : { skipped: "neither distribution() nor logDensity() is there, or no neighbours" };
  },
};

/** The share of a claim that the left side of a pair loses; `undefined` where no law is stated. */
function lossOf(
  mechanism: Mechanism,
  { claim, left, right, source }: {
    readonly claim: Mechanism["claim"];
    readonly left: Dataset;
    readonly right: Dataset;
    readonly source: SeededSource;
  },
): number | undefined {
  const law = lawOf(mechanism, left);
  if (law !== undefined && law.length <= MOST_OUTPUTS) {
    const others = new Map(
      lawOf(mechanism, right)!.map((
        { output, probability },
      ) => [seenKey(output), Math.log(probability)]),
    );
    const logs = law.map(({ output, probability }) => ({
      key: seenKey(output),
      log: Math.log(probability),
    }));
    return lossOfLaws(claim, {
      left: logs.map(({ log }) => log),
      right: logs.map(({ key }) => others.get(key) ?? -Infinity),
    });
  }
  if (mechanism.logDensity === undefined) return undefined;
  const count = claim.kind === "pure" ? LOSS_DRAWS : CURVE_DRAWS;
  const drawn = Array.from({ length: count }, () => mechanism.sample(left, source));
  const logs = drawn.map((output) =>
    [left, right].map((data) => mechanism.logDensity!(output, data)) as [number, number]
  );
  return claim.kind === "pure"
    ? Math.max(0, ...logs.map(([log, other]) => lossAt(log, other))) / claim.epsilon
    : lossOfDraws(claim, logs.map(([log, other]) => log - other));
}
