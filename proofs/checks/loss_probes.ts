import type { Loss } from "../../lib/learners/erm/loss.ts";

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The margins that a loss is looked at: some 2⁻⁹ apart up to 16, then eight for each power of two to 2⁹⁹⁴. */
export const MARGINS: readonly number[] = ((): number[] => {
  const spread = (k: number): number => k + (k * GOLDEN) % 1;
  const above = [
    ...Array.from({ length: 8192 }, (_, k) => spread(k) / 512),
    ...Array.from({ length: 7920 }, (_, k) => 16 * 2 ** (spread(k) / 8)),
  ];
  return [...above.slice(1).map((z) => -z).reverse(), ...above];
})();

/** One number for each end of an interval and each quarter between. */
export type Five = readonly [number, number, number, number, number];

/** A loss that is two lines, with one interval between neighbouring margins where it is as told. */
export interface Probe {
  /** The place of the interval's left end among the margins. */
  readonly at: number;
  /** The slope on the left, and by how much it rises over the interval. */
  readonly slope?: number;
  readonly rise?: number;
  /** The value at the left end, and at the right end beside that of the left line. */
  readonly value?: number;
  readonly jump?: number;
  /** Curvatures at both ends and at the quarters between; 0 elsewhere. */
  readonly curvatures?: Five;
  readonly bound?: number;
}

/** The loss that a probe tells of. */
export function lossOf(
  { at, slope = 0, rise = 0, value = 0, jump = 0, curvatures = [0, 0, 0, 0, 0], bound = 1 }: Probe,
): Loss {
  const left = MARGINS[at]!, right = MARGINS[at + 1]!, width = right - left;
  const places = [left, ...[1, 2, 3].map((q) => left + width * q / 4), right];
  const bent = new Map(places.map((place, k) => [place, curvatures[k]!]));
  return {
    name: "probe",
    curvatureBound: bound,
    value: (z) =>
      z <= left
        ? value + slope * (z - left)
        : value + slope * width + jump + (slope + rise) * (z - right),
    slope: (z) => z <= left ? slope : slope + rise,
    curvature: (z) => z < left || z > right ? 0 : bent.get(z) ?? 0,
  };
}

/** Left ends of an interval far out on the left, and of one near 0 on the right. */
export const PLACES = [-3e5, 0.25].map((z) => MARGINS.findLastIndex((margin) => margin <= z));
