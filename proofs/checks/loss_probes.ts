import type { Loss } from "../../lib/learners/erm/loss.ts";
import type { requireLoss } from "../../lib/learners/erm/require_loss.ts";
import { requireEqual, requireRefused, requireThat } from "../engine/requirement.ts";

type Check = typeof requireLoss;

const GOLDEN = (Math.sqrt(5) - 1) / 2, EPS = Number.EPSILON;

/** The margins that a loss is looked at: some 2⁻⁹ apart up to 16, then eight for each power of two to 2⁹⁹⁴. */
const MARGINS: readonly number[] = ((): number[] => {
  const spread = (k: number): number => k + (k * GOLDEN) % 1;
  const above = [
    ...Array.from({ length: 8192 }, (_, k) => spread(k) / 512),
    ...Array.from({ length: 7920 }, (_, k) => 16 * 2 ** (spread(k) / 8)),
  ];
  return [...above.slice(1).map((z) => -z).reverse(), ...above];
})();

type Five = readonly [number, number, number, number, number];

/** A loss that is two lines, with one interval between neighbouring margins where it is as told. */
interface Probe {
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

function lossOf(
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

/** Left ends of intervals near 0 and far out, on both sides. */
const PLACES = [-3e5, 0.25, 40].map((z) => MARGINS.findLastIndex((margin) => margin <= z));

/** Each bound of the check is met from both sides, in one interval at a time. */
export function requireLossBounds(check: Check): void {
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

/** Every margin is in an interval between samples; steep ones are halved until a rise is small, and no further. */
export function requireLossSamples(check: Check): void {
  const asked: number[] = [];
  const watched = (loss: Loss): Loss => ({
    ...loss,
    slope: (z) => {
      asked.push(z);
      return loss.slope(z);
    },
  });
  check(watched(lossOf({ at: 5, slope: -0.25 })));
  requireEqual(asked, MARGINS.flatMap((z) => [z, z]), "the margins that are looked at");
  // A ramp of a 64th over one interval is not halved; one that is a little higher is, once or more.
  const at = PLACES[1]!, left = MARGINS[at]!, right = MARGINS[at + 1]!, width = right - left;
  for (
    const [rise, halved] of [[1 / 64, false], [1 / 64 + 1e-9, true], [0.3, true], [
      1,
      true,
    ]] as const
  ) {
    const slope = (z: number): number =>
      z <= left ? -rise : z >= right ? 0 : rise * ((z - left) / width - 1);
    const ramp: Loss = {
      name: "ramp",
      curvatureBound: 1.001 * rise / width,
      value: (z) =>
        z <= left
          ? rise * (width / 2 + left - z)
          : z >= right
          ? 0
          : rise * (right - z) ** 2 / (2 * width),
      slope,
      curvature: (z) => z < left || z > right ? 0 : rise / width,
    };
    const stated: number[] = [];
    const between = (from: number, to: number): void => {
      const middle = from + (to - from) / 2;
      if (slope(to) - slope(from) <= 1 / 64 || middle <= from || middle >= to) return;
      stated.push(middle, middle);
      between(from, middle);
      between(middle, to);
    };
    between(left, right);
    requireEqual(stated.length > 0, halved);
    asked.length = 0;
    check(watched(ramp));
    requireEqual(
      asked,
      MARGINS.flatMap((z) => z === right ? [z, z, ...stated] : [z, z]),
      `a rise of ${rise}`,
    );
  }
  // A step between two doubles ends the halving. It has a value of its own there, and a bound that allows it.
  const [low, high] = [0.3, 0.3 + 2 ** -54];
  const step: Loss = {
    name: "step",
    curvatureBound: 2 ** 60,
    value: (z) => Math.max(0, low - z),
    slope: (z) => z < high ? -1 : 0,
    curvature: (z) => z === low || z === high ? 2 ** 54 : 0,
  };
  asked.length = 0;
  check(watched(step));
  requireThat(asked.includes(low) && asked.includes(high), "a step is found");
}

/** What a loss computes of many margins at once is held to what it computes of each; and a loss is checked anew when a part of it changes. */
export function requireLossTogether(check: Check): void {
  const inside = MARGINS.filter((z) => Math.abs(z) <= 1e6);
  for (const [slope, steps] of [[-0.5, [-1, 1]], [-1, [1]], [0, [-1]]] as const) {
    const line = lossOf({ at: 9000, slope, value: 1e3 }), expected = inside.map(line.value);
    const total = expected.reduce((sum, each) => sum + each, 0);
    const together = (
      change: { readonly sum?: number; readonly place?: number; readonly by?: number },
    ): Loss => ({
      ...line,
      sumAndSlopes: (margins, { slopes }) => {
        requireEqual(margins.length, inside.length);
        requireThat(margins.every((z, i) => z === inside[i]), "other margins");
        margins.forEach((z, i) =>
          slopes[i] = line.slope(z) + (i === change.place ? change.by! : 0)
        );
        // What it is given is its own.
        margins.fill(NaN);
        return total + (change.sum ?? 0);
      },
    });
    check(together({}));
    const place = slope === 0 ? 0 : inside.length - 1;
    for (const sign of [1, -1]) {
      const far = together({ place, by: sign * 1.01e-13 });
      const near = together({ place, by: sign * 0.99e-13 });
      requireRefused("a slope together", () => check(far), "like slope");
      if ((steps as readonly number[]).includes(sign)) check(near);
      else requireRefused("a slope together, out of range", () => check(near), "like slope");
    }
    if (slope !== -0.5) continue;
    const room = 1e-10 * (1 + total);
    for (const sign of [1, -1]) {
      check(together({ sum: sign * 0.99 * room }));
      requireRefused("a sum", () => check(together({ sum: sign * 1.01 * room })), "like value");
    }
    requireRefused("a slope that is no number", () => check(together({ place, by: NaN })));
    requireRefused("a sum that is no number", () => check(together({ sum: NaN })));
  }
  // Parts that change after a check are seen; where none does, none is asked again.
  const flat = lossOf({ at: 5 });
  let calls = 0;
  const own = {
    ...flat,
    value: (z: number): number => {
      calls++;
      return flat.value(z);
    },
    sumAndSlopes: (margins: Float64Array, { slopes }: { slopes: Float64Array }): number => {
      slopes.fill(0, 0, margins.length);
      return 0;
    },
  };
  const good = { ...own };
  check(good);
  const first = calls;
  check(good);
  requireEqual(calls, first, "asked again");
  const parts = {
    value: () => NaN,
    slope: () => -2,
    curvature: () => -1,
    sumAndSlopes: () => 9,
    curvatureBound: -1,
  };
  for (const [name, part] of Object.entries(parts)) {
    const changed = { ...own } as Record<string, unknown>;
    check(changed as unknown as Loss);
    changed[name] = part;
    requireRefused(`another ${name}`, () => check(changed as unknown as Loss));
    changed[name] = own[name as keyof typeof own];
    check(changed as unknown as Loss);
  }
  const larger = { ...own };
  check(larger);
  larger.curvatureBound = 2;
  calls = 0;
  check(larger);
  requireThat(calls > 0, "another bound");
}
