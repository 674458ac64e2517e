/** Bound that a row of the table must reach, and the seconds that it may take. */
export interface BoundTarget {
  readonly name: string;
  /** DP-Sniper's best published 90% bound. */
  readonly sniper: number;
  readonly atLeast: number;
  readonly atMost?: number;
  readonly seconds: number;
  /** Threads that draw for the row, which then has the machine to itself. */
  readonly workers?: number;
}

/** The rows of the bounds table. */
export const boundTargets: readonly BoundTarget[] = [
  { name: "LaplaceMechanism", sniper: 0.0976, atLeast: 0.0985, seconds: 6 },
  { name: "TruncatedGeometric", sniper: 0.1156, atLeast: 0.116, seconds: 6 },
  { name: "NoisyHist1", sniper: 0.0978, atLeast: 0.0985, seconds: 29.5 },
  { name: "NoisyHist2", sniper: 4.602, atLeast: 9, seconds: 6 },
  { name: "ReportNoisyMax1", sniper: 0.0925, atLeast: 0.093, seconds: 29.5, workers: 2 },
  { name: "ReportNoisyMax2", sniper: 0.0979, atLeast: 0.098, seconds: 8 },
  { name: "ReportNoisyMax3", sniper: 0.2488, atLeast: 0.2488, seconds: 29.5, workers: 2 },
  { name: "ReportNoisyMax4", sniper: 0.3534, atLeast: 3, seconds: 6 },
  { name: "SVT1", sniper: 0.0864, atLeast: 0.0865, seconds: 29.5 },
  { name: "SVT2", sniper: 0.0859, atLeast: 0.086, seconds: 29.5 },
  { name: "SVT3", sniper: 0.1822, atLeast: 0.25, seconds: 29.5 },
  { name: "SVT4", sniper: 0.1696, atLeast: 0.17, seconds: 29.5, workers: 2 },
  { name: "SVT5", sniper: 1.761, atLeast: 8, seconds: 6 },
  { name: "SVT6", sniper: 0.272, atLeast: 0.35, seconds: 29.5 },
  { name: "OneTimeRAPPOR", sniper: 0.5999, atLeast: 0.75, seconds: 29.5 },
  { name: "RAPPOR", sniper: 0.3008, atLeast: 0.36, seconds: 29.5 },
  { name: "LaplaceParallel", sniper: 0.035, atLeast: 0.045, seconds: 29.5 },
  { name: "SVT34Parallel", sniper: 0.2616, atLeast: 0.27, seconds: 29.5, workers: 2 },
  { name: "PrefixSum", sniper: 0.5774, atLeast: 0.9, seconds: 20 },
  { name: "NumericalSVT", sniper: 0.0345, atLeast: 0.036, seconds: 29.5 },
  { name: "FloatingPoint", sniper: 0.2521, atLeast: 6, seconds: 5 },
  { name: "FloatingFixed", sniper: 0.0979, atLeast: 0, atMost: 0.1, seconds: 6 },
];
