/** The programs of the table of the limit without their laws: those that are watched are loaded from here as rewritten copies. */
import { suite } from "../../fixtures/judge/mutants/suite.ts";
import { type Claim, pure } from "../../lib/core/claims/claim.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import { replaceOne } from "../../lib/core/relations/relation.ts";
import { queries } from "../exam/queries.ts";
import { tracks } from "../exam/tracks.ts";
import { brokenMean } from "./broken_means.ts";

/** The ε that the broken programs of the suite of DP-Sniper are tested against. */
export const SUITE: Readonly<Record<string, number>> = {
  LaplaceMechanism: 0.1,
  NoisyHist2: 0.1,
  SVT5: 0.1,
  PrefixSum: 0.1,
  SVT6: 0.1,
  ReportNoisyMax3: 0.1,
  ReportNoisyMax4: 0.1,
  SVT4: 0.1,
  OneTimeRAPPOR: 0.4,
};

/** The ε of broken means. */
export const MEANS = [0.01, 0.1] as const;

/** Tracks of the exam, with half of their noise. */
export const TRACKS = ["Laplace", "noisy max", "permute-and-flip", "exponential mechanism"];

/** Returns a program of the suite with the claim that it is tested against. */
export function suiteProgram(name: string): Mechanism {
  const { mechanism } = suite.find(({ mechanism }) => mechanism.name === name)!;
  const isLaplace = name === "LaplaceMechanism";
  return {
    ...mechanism,
    ...(isLaplace ? halfNoise(mechanism) : {}),
    name: isLaplace ? "Laplace, true ε 0.2" : name,
    claim: pure({ epsilon: SUITE[name]!, relation: mechanism.claim.relation }),
  };
}

/** The Laplace mechanism with half its noise: what claims 0.1 then loses 0.2. */
function halfNoise(mechanism: Mechanism): Pick<Mechanism, "sample" | "sampleMany"> {
  const sampleMany: Mechanism["sampleMany"] = (data, count, source) => {
    const center = Number(data[0]);
    return mechanism.sampleMany!(data, count, source).map((y) => center + (y - center) / 2);
  };
  return { sampleMany, sample: (data, source) => sampleMany!(data, 1, source)[0]! };
}

/** The chances of the true answer and of each other one, of randomised response that loses 2. */
export function chancesAmong(answers: number): { readonly truth: number; readonly lie: number } {
  const growth = Math.exp(2), truth = growth / (growth + answers - 1);
  return { truth, lie: (1 - truth) / (answers - 1) };
}

/** Randomised response among `answers` answers that loses 2 where 1 is claimed. */
export function randomisedResponseAmong(answers: number): Mechanism {
  const claim: Claim = pure({ epsilon: 1, relation: replaceOne }),
    { truth } = chancesAmong(answers);
  return {
    name: `randomised response, ${answers} answers`,
    claim,
    domain: { rows: { type: "integer", min: 0, max: answers - 1 }, size: { min: 1, max: 1 } },
    sample: (data, source) => {
      const own = Number(data[0]), other = Math.floor(source.uniform() * (answers - 1));
      return `answer ${source.uniform() < truth ? own : other < own ? other : other + 1}`;
    },
  };
}

/** Returns a track of the questions with half of its noise, on the sum. */
export function trackProgram(name: string): Mechanism {
  const program = tracks.find((one) => one.name === name)!.program(queries[0]!, 1 / 2);
  return { ...program, name: `${name}, half of the noise` };
}

/** All programs of the table. */
export const programs: readonly Mechanism[] = [
  ...Object.keys(SUITE).map(suiteProgram),
  ...MEANS.flatMap((epsilon) =>
    (["Laplace", "Gaussian"] as const).flatMap((noise) =>
      [false, true].map((byNoisySize) =>
        brokenMean({ noise, byNoisySize, epsilon }).mechanism as Mechanism
      )
    )
  ),
  randomisedResponseAmong(2),
  ...TRACKS.map(trackProgram),
];
