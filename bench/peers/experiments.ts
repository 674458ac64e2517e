/** A row of the suite, under the names that DP-Sniper's authors gave it. */
export interface PeerRow {
  /** Here. */
  readonly name: string;
  /** In their experiments. */
  readonly experiment: string;
  /** True if they have run StatDP on it. */
  readonly hasStatdp: boolean;
}

const sameName = ["NoisyHist1", "NoisyHist2", "LaplaceMechanism"]
  .concat([1, 2, 3, 4].map((k) => `ReportNoisyMax${k}`))
  .concat(["LaplaceParallel", "SVT34Parallel", "PrefixSum", "NumericalSVT"]);

/** The rows of the suite. */
export const peerRows: readonly PeerRow[] = [
  ...sameName.map((name) => ({ name, experiment: name, hasStatdp: true })),
  ...[1, 2, 3, 4, 5, 6].map((k) => ({
    name: `SVT${k}`,
    experiment: `SparseVectorTechnique${k}`,
    hasStatdp: true,
  })),
  { name: "TruncatedGeometric", experiment: "TruncatedGeometricMechanism", hasStatdp: true },
  { name: "RAPPOR", experiment: "Rappor", hasStatdp: true },
  { name: "OneTimeRAPPOR", experiment: "OneTimeRappor", hasStatdp: true },
  { name: "FloatingPoint", experiment: "floating_point", hasStatdp: false },
  { name: "FloatingFixed", experiment: "floating_fixed", hasStatdp: false },
];
