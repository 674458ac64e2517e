import type { Domain } from "../relations/dataset.ts";
import { addRemoveOne, replaceOne } from "../relations/relation.ts";
import { type ApproximateClaim, type PureClaim, pureOrApproximate } from "./claim.ts";

/** A claim in the words of a deployment: what it keeps by its own arithmetic, about which neighbours, and where that is published. */
export interface Deployment {
  /** The claim. */
  readonly claim: PureClaim | ApproximateClaim;
  /** Datasets on which it is audited: a row is what one person holds. */
  readonly domain: Domain;
  /** The arithmetic, as a sentence. */
  readonly arithmetic: string;
  /** The publication that states it. */
  readonly source: string;
}

type Numbers = Readonly<Record<string, number>>;

interface Preset {
  /** Parameters with the values that they have where none are given. */
  readonly parameters: Numbers;
  /** The rule that parameters break. */
  readonly problem: (numbers: Numbers) => string | undefined;
  readonly of: (numbers: Numbers) => Deployment;
}

const one = { min: 1, max: 1 } as const;
const isShare = (x: number | undefined): boolean => x! > 0 && x! < 1;
const isCount = (x: number | undefined, least = 1): boolean =>
  Number.isSafeInteger(x) && x! >= least;

/** Truth in one of k values, else another one evenly: the loss is that of the truth against another value. */
function keptTruth(truth: number, values: number): number {
  return Math.log(truth * (values - 1) / (1 - truth));
}

/** C(n, k). */
function choose(n: number, k: number): number {
  let product = 1;
  for (let i = 1; i <= k; i++) product = product * (n - k + i) / i;
  return Math.round(product);
}

const PRESETS: Readonly<Record<string, Preset>> = {
  "rappor": {
    parameters: { f: 0.5, p: 0.5, q: 0.75, hashes: 2 },
    problem: ({ f, p, q, hashes }) =>
      isShare(f) && isShare(p) && isShare(q) && p! < q! && isCount(hashes)
        ? undefined
        : "f, p and q must lie between 0 and 1, p below q, and hashes be a whole number of at least 1",
    of: ({ f, p, q, hashes }) => {
      const set = f! * (p! + q!) / 2 + (1 - f!) * q!, unset = f! * (p! + q!) / 2 + (1 - f!) * p!;
      const epsilon = hashes! * Math.log(set * (1 - unset) / (unset * (1 - set)));
      const always = 2 * hashes! * Math.log((1 - f! / 2) / (f! / 2));
      return {
        claim: pureOrApproximate({ epsilon, relation: replaceOne }),
        domain: { rows: { type: "text", length: "1..8" }, size: one },
        arithmetic:
          `one report keeps h·ln(q*(1 - p*)/(p*(1 - q*))) = ${epsilon} with q* = ${set} and p* = ${unset}; all reports of a value keep 2h·ln((1 - f/2)/(f/2)) = ${always}`,
        source: "Erlingsson, Pihur, Korolova 2014, RAPPOR, theorem 1 and section 3.2",
      };
    },
  },
  "local-randomiser": {
    parameters: { values: 2, truth: 0.75 },
    problem: ({ values, truth }) =>
      isCount(values, 2) && isShare(truth) && truth! > 1 / values!
        ? undefined
        : "values must be a whole number of at least 2, and truth lie between 1/values and 1",
    of: ({ values, truth }) => {
      const epsilon = keptTruth(truth!, values!);
      return {
        claim: pureOrApproximate({ epsilon, relation: replaceOne }),
        domain: { rows: { type: "integer", min: 0, max: values! - 1 }, size: one },
        arithmetic: `ln(truth·(values - 1)/(1 - truth)) = ${epsilon}`,
        source:
          "Kairouz, Oh, Viswanath 2014, Extremal mechanisms for local differential privacy, section 3",
      };
    },
  },
  "unary-encoding": {
    parameters: { values: 4, p: 0.75, q: 0.25 },
    problem: ({ values, p, q }) =>
      isCount(values, 2) && isShare(p) && isShare(q) && q! < p!
        ? undefined
        : "values must be a whole number of at least 2, p and q lie between 0 and 1, and q be below p",
    of: ({ values, p, q }) => {
      const epsilon = Math.log(p! * (1 - q!) / ((1 - p!) * q!));
      return {
        claim: pureOrApproximate({ epsilon, relation: replaceOne }),
        domain: { rows: { type: "integer", min: 0, max: values! - 1 }, size: one },
        arithmetic: `ln(p(1 - q)/((1 - p)q)) = ${epsilon}, for two bits differ`,
        source:
          "Wang, Blocki, Li, Jha 2017, Locally differentially private protocols for frequency estimation, section 4.3",
      };
    },
  },
  "attribution-event": {
    parameters: { epsilon: 14, reports: 3, data: 8, windows: 3 },
    problem: ({ epsilon, reports, data, windows }) =>
      epsilon! > 0 && epsilon! < 50 && [reports, data, windows].every((x) => isCount(x)) &&
        choose(reports! + data! * windows!, reports!) <= 1e6
        ? undefined
        : "epsilon must be positive and below 50, and reports, data and windows be whole numbers of at least 1 with at most 1,000,000 outputs",
    of: ({ epsilon, reports, data, windows }) => {
      const states = choose(reports! + data! * windows!, reports!);
      const random = states / (states - 1 + Math.exp(epsilon!));
      return {
        claim: pureOrApproximate({ epsilon: epsilon!, relation: replaceOne }),
        domain: { rows: { type: "integer", min: 0, max: states - 1 }, size: one },
        arithmetic:
          `C(reports + data·windows, reports) = ${states} outputs; one of them evenly with probability ${states}/(${
            states - 1
          } + e^ε) = ${random}, else the true one`,
        source: "WICG, Attribution Reporting API, EVENT.md: data limits and noise",
      };
    },
  },
  "attribution-aggregate": {
    parameters: { epsilon: 10, budget: 65536 },
    problem: ({ epsilon, budget }) =>
      epsilon! > 0 && isCount(budget, 2)
        ? undefined
        : "epsilon must be positive, and budget a whole number of at least 2",
    of: ({ epsilon, budget }) => ({
      claim: pureOrApproximate({ epsilon: epsilon!, relation: addRemoveOne }),
      domain: {
        rows: {
          type: "vector",
          length: 2,
          of: { type: "integer", min: 0, max: Math.floor(budget! / 2) },
        },
        size: { min: 0, max: 3 },
      },
      arithmetic:
        `contributions of one add up to ${budget}, and Laplace noise of scale ${budget}/ε = ${
          budget! / epsilon!
        } is added to each sum`,
      source:
        "WICG, Attribution Reporting API, AGGREGATE.md and AGGREGATION_SERVICE_TEE.md: contribution bounding and noise",
    }),
  },
  "shuffle": {
    parameters: { local: 1, people: 1000, delta: 1e-6 },
    problem: ({ local, people, delta }) =>
      local! > 0 && isCount(people, 2) && isShare(delta) &&
        local! <= Math.log(people! / (16 * Math.log(2 / delta!)))
        ? undefined
        : "local must be positive and at most ln(people/(16·ln(2/delta))), and delta lie between 0 and 1",
    of: ({ local, people, delta }) => {
      const growth = Math.exp(local!);
      const epsilon = Math.log1p(
        (growth - 1) / (growth + 1) *
          (8 * Math.sqrt(growth * Math.log(4 / delta!)) / Math.sqrt(people!) +
            8 * growth / people!),
      );
      return {
        claim: pureOrApproximate({ epsilon, delta: delta!, relation: replaceOne }),
        domain: { rows: { type: "boolean" }, size: { min: people!, max: people! } },
        arithmetic:
          `ln(1 + (e^ε₀ - 1)/(e^ε₀ + 1)·(8√(e^ε₀·ln(4/δ))/√n + 8e^ε₀/n)) = ${epsilon}, for reports of ${people} people in random order`,
        source:
          "Feldman, McMillan, Talwar 2021, Hiding among the clones, theorem III.1; shuffling as deployed: Bittau and others 2017, Prochlo",
      };
    },
  },
  "pate": {
    parameters: { gamma: 0.05, classes: 10 },
    problem: ({ gamma, classes }) =>
      gamma! > 0 && gamma! < 50 && isCount(classes, 2)
        ? undefined
        : "gamma must be positive and below 50, and classes a whole number of at least 2",
    of: ({ gamma, classes }) => ({
      claim: pureOrApproximate({ epsilon: 2 * gamma!, relation: replaceOne }),
      domain: { rows: { type: "integer", min: 0, max: classes! - 1 }, size: { min: 3, max: 10 } },
      arithmetic: `Laplace noise of scale 1/γ on each count of votes: one answer keeps 2γ = ${
        2 * gamma!
      }`,
      source:
        "Papernot, Abadi, Erlingsson, Goodfellow, Talwar 2017, Semi-supervised knowledge transfer (PATE), section 3.1",
    }),
  },
  "keys": {
    parameters: { epsilon: 1, delta: 1e-3 },
    problem: ({ epsilon, delta }) =>
      epsilon! > 0 && epsilon! < 50 && delta! > 0 && delta! < 0.5
        ? undefined
        : "epsilon must be positive and below 50, and delta lie between 0 and 1/2",
    of: ({ epsilon, delta }) => ({
      claim: pureOrApproximate({ epsilon: epsilon!, delta: delta!, relation: addRemoveOne }),
      domain: { rows: { type: "text", length: "1..3" }, size: { min: 0, max: 8 } },
      arithmetic:
        `a key of one person each is published where its count with Laplace noise of scale 1/ε is at least 1 + ln(1/(2δ))/ε = ${
          1 + Math.log(1 / (2 * delta!)) / epsilon!
        }`,
      source:
        "Korolova, Kenthapadi, Mishra, Ntoulas 2009, Releasing search queries and clicks privately, section 4",
    }),
  },
};

/** Names of deployments whose claims are known, with their parameters as they are by default. */
export const DEPLOYMENTS: Readonly<Record<string, Readonly<Record<string, number>>>> = Object
  .fromEntries(
    Object.entries(PRESETS).map(([name, { parameters }]) => [name, parameters]),
  );

/**
 * The claim of a deployment by its own parameters, with the neighbours and datasets to audit it on.
 *
 * @param name one of `rappor`, `local-randomiser`, `unary-encoding`, `attribution-event`, `attribution-aggregate`, `shuffle`, `pate` and `keys`.
 * @param numbers its parameters; those that are left out are as in `DEPLOYMENTS` of /core.
 * @throws {RangeError} when there is no such deployment or parameter, or one is out of its bounds.
 *
 * @example
 * ```ts
 * import { deployment } from "@dpcheck/dpcheck";
 * const { claim, arithmetic } = deployment("local-randomiser", { values: 4, truth: 0.6 });
 * claim.epsilon; // 1.504
 * console.log(arithmetic);
 * ```
 */
export function deployment(
  name: string,
  numbers: Readonly<Record<string, number>> = {},
): Deployment {
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  if (preset === undefined) {
    throw new RangeError(
      `Cannot find a deployment: name must be one of ${
        Object.keys(PRESETS).join(", ")
      }: current value is ${name}`,
    );
  }
  for (const key of Object.keys(numbers)) {
    if (Object.hasOwn(preset.parameters, key)) continue;
    throw new RangeError(
      `Cannot state the claim of ${name}: parameters must be among ${
        Object.keys(preset.parameters).join(", ")
      }: current value is ${key}`,
    );
  }
  const given = { ...preset.parameters, ...numbers };
  const problem = Object.values(given).every(Number.isFinite)
    ? preset.problem(given)
    : "parameters must be finite numbers";
  if (problem !== undefined) {
    throw new RangeError(
      `Cannot state the claim of ${name}: ${problem}: current value is ${
        Object.entries(given).map(([key, value]) => `${key}=${value}`).join(",")
      }`,
    );
  }
  return preset.of(given);
}
