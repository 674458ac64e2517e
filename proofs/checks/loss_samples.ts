import type { Loss } from "../../lib/learners/erm/loss.ts";
import type { requireLoss } from "../../lib/learners/erm/require_loss.ts";
import { requireEqual, requireRefused, requireThat } from "../engine/requirement.ts";
import { lossOf, MARGINS, PLACES } from "./loss_probes.ts";

/** Every margin is in an interval between samples; steep ones are halved until a rise is small, and no further. */
export function requireLossSamples(check: typeof requireLoss): void {
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
export function requireLossTogether(check: typeof requireLoss): void {
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
