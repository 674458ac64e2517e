import type { Loss } from "../../lib/learners/erm/loss.ts";
import type { requireLoss } from "../../lib/learners/erm/require_loss.ts";
import { requireRefused, requireThat } from "../engine/requirement.ts";
import { type Five, lossOf, MARGINS, PLACES, type Probe } from "./loss_probes.ts";

const EPS = Number.EPSILON;

/** Each bound of the check is met from both sides, in one interval at a time. */
export function requireLossBounds(check: typeof requireLoss): void {
  const takes = (what: string, loss: Loss): void => {
    try {
      check(loss);
    } catch (error) {
      requireThat(false, `${what} is refused: ${(error as Error).message}`);
    }
  };
  for (const at of PLACES) {
    const left = MARGINS[at]!, width = MARGINS[at + 1]! - left, far = Math.abs(MARGINS[at + 1]!);
    const near = `near ${left}`;
    /** A number that may be up to `most`, and not more. */
    const upTo = (words: string, most: number, probe: (size: number) => Probe): void => {
      takes(`${words} ${near}`, lossOf(probe(0.99 * most)));
      requireRefused(`${words} ${near}`, () => check(lossOf(probe(1.01 * most))), words);
    };
    // No slope below −1 or above 0, however little; a rise of the slope back by eight roundings.
    for (const [slope, step] of [[-1, -EPS], [0, 1e-300]] as const) {
      takes("a slope at its bound", lossOf({ at, slope }));
      requireRefused(
        `a slope of ${slope} and ${step} ${near}`,
        () => check(lossOf({ at, slope, rise: step })),
        "slope in",
      );
    }
    takes("a fall of eight roundings", lossOf({ at, slope: -1 / 128, rise: -8 * EPS }));
    upTo("convex", 8 * EPS, (size) => ({ at, slope: -1 / 128, rise: -size }));
    // A value beside the line: 1e−13 of 1, the value and the width. A tangent at either end of a kink.
    for (const value of [0, 7, -7]) {
      const room = 1e-13 * (1 + Math.abs(value) + width);
      if (far > 1e3 * (1 + Math.abs(value))) continue;
      for (const sign of [1, -1]) {
        upTo("slope that of the value", room, (size) => ({ at, value, jump: sign * size }));
      }
    }
    const rise = Math.min(0.01, 0.5 / width), bound = 2 * rise / width;
    const bent = { at, slope: -1 / 64, rise, bound } as const;
    const even = rise / width, curved = Math.min(even, 8 / far);
    if (even === curved) {
      const curvatures = [even, even, even, even, even] as const;
      const room = 1e-13 * (1 + width);
      upTo("slope that of the value", room, (size) => ({ ...bent, curvatures, jump: -size }));
      upTo("slope that of the value", rise * width + room, (size) => ({
        ...bent,
        curvatures,
        jump: size,
      }));
    }
    // A rise of the slope beside the bound, and beside curvatures at five places.
    const small = Math.min(1 / 200, 4 / far * width), b = small / width;
    const all = [b, b, b, b, b] as const;
    const slope = -1 / 64 - small;
    upTo("rising by curvatureBound", 1, (size) => ({
      at,
      slope: -small - 2 ** -20,
      bound: b,
      curvatures: [0, b, 0, 0, 0],
      // Beside the bound, by a tenth of the room more or less.
      rise: small * (1 + 1e-13) + 8 * EPS + (size - 1) * 10 * (1e-13 * small + 8 * EPS),
    }));
    const room = 1e-6 * small + 16 * EPS;
    for (const [factor, lone] of [[1, 1], [2, 0]] as const) {
      for (let k = 0; k < (lone === 0 ? 5 : 1); k++) {
        const curvatures = all.map((each, i) =>
          lone === 1 || i === k ? each : 0
        ) as unknown as Five;
        const most = small * factor + room;
        for (const over of [-0.1, 0.1]) {
          const loss = lossOf({
            at,
            slope: slope - small,
            bound: 4 * b,
            curvatures,
            rise: most + over * room,
          });
          if (over < 0) takes(`a rise beside curvature ${k}`, loss);
          else {requireRefused(`a rise beside curvature ${k} ${near}`, () =>
              check(loss), "that of the slope");}
        }
      }
      for (let k = 0; k < (lone === 0 ? 5 : 1); k++) {
        const low = lone === 1 ? 1 : 0.9;
        const curvatures = all.map((each, i) => i === k ? low * each : each);
        const least = small * (low - (1 - low)) - room;
        for (const over of [-0.1, 0.1]) {
          const loss = lossOf({
            at,
            slope,
            bound: 4 * b,
            curvatures: curvatures as unknown as Five,
            rise: least - over * room,
          });
          if (over < 0) takes(`less of a rise than curvature ${k}`, loss);
          else {requireRefused(`less of a rise than curvature ${k} ${near}`, () =>
              check(loss), "that of the slope");}
        }
      }
    }
    // Curvatures at one margin: not below 0, not above the bound, and small far out.
    const single = (curvature: number, limit: number): Loss =>
      lossOf({ at, curvatures: [0, 0, 0, 0, curvature], bound: limit });
    for (const limit of [0.3, 3]) {
      const most = Math.min(limit, 8 * (1 + limit) / far);
      takes("a curvature within its bounds", single(most * (1 - 1e-9), limit));
      requireRefused(
        `a curvature ${near}`,
        () => check(single(most * (1 + 1e-9), limit)),
        most === limit ? "in [0, curvatureBound]" : "curvature times margin",
      );
    }
    requireRefused(`a curvature below 0 ${near}`, () => check(single(-1e-300, 1)), "curvature in");
    requireRefused(`a curvature that is no number ${near}`, () => check(single(NaN, 1)));
    for (const value of [NaN, Infinity]) {
      requireRefused(
        `a value of ${value} ${near}`,
        () => check(lossOf({ at, jump: value })),
        "finite",
      );
    }
    requireRefused(`a slope that is no number ${near}`, () => check(lossOf({ at, rise: NaN })));
    // The same answers when asked again.
    for (const part of ["value", "slope", "curvature"] as const) {
      const flat = lossOf({ at, slope: -0.5 });
      let asked = 0;
      const other = (z: number): number =>
        flat[part](z) + (z === MARGINS[at] && asked++ > 0 ? 1e-16 : 0);
      requireRefused(`another ${part} ${near}`, () => check({ ...flat, [part]: other }), "again");
    }
  }
  requireRefused("two bounds", () => check({ ...lossOf({ at: 5 }), curvatureBound: Infinity }));
}
