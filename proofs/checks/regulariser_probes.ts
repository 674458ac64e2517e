import { type Regulariser, squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import type { requireRegulariser } from "../../lib/learners/erm/require_regulariser.ts";
import { requireNear, requireRefused, requireThat } from "../engine/requirement.ts";

type Check = typeof requireRegulariser;

/** What was asked of a regulariser: of which part, where, and in which direction or with which scale. */
interface Call {
  readonly part: "value" | "gradient" | "product" | "Hessian";
  readonly at: readonly number[];
  readonly more: readonly number[];
}

/** 84 pairs, of which every fourth is a step along an axis, with reaches from 2^−10 to 2^10. */
function pairsOf(columnCount: number): { from: number[]; step: number[] }[] {
  const points = (seed: number, reach: number): number[] =>
    Array.from({ length: columnCount }, (_, j) => {
      const turns = (j + 1) * (Math.sqrt(5) - 1) / 2 + (seed + 1) * (Math.SQRT2 - 1) * (j + 3 / 2);
      return reach * (2 * (turns % 1) - 1);
    });
  return Array.from({ length: 84 }, (_, k) => {
    const reach = 2 ** Math.floor(k / 4) / 1024;
    const along = points(2 * k + 1, k % 2 === 0 ? reach : 1 / 1000);
    const axis = Math.floor(k / 4) % columnCount;
    return {
      from: points(2 * k, reach),
      step: k % 4 === 0 ? along.map((_, j) => j === axis ? reach : 0) : along,
    };
  });
}

/** All calls of one check, as its definition has them. */
function callsOf(columnCount: number): Call[] {
  return pairsOf(columnCount).flatMap(({ from, step }): Call[] => {
    const moved = (by: number): number[] => from.map((value, j) => value + by * step[j]!);
    const h = Math.min(1, 1 / Math.hypot(...step)) / 4096;
    const gradient = (at: readonly number[], scale = 1): Call => ({
      part: "gradient",
      at,
      more: [scale],
    });
    return [
      gradient(from),
      gradient(moved(1)),
      { part: "value", at: from, more: [] },
      { part: "value", at: moved(1), more: [] },
      gradient(from, 2),
      gradient(moved(h)),
      gradient(moved(-h)),
      { part: "product", at: from, more: [1, ...step] },
      ...(columnCount > 32 ? [] : [{ part: "Hessian", at: from, more: [1] } as const]),
    ];
  });
}

/** ½‖f‖² under another name, with its calls kept and answers that may be changed: of the call with that number. */
function watched(
  change: (call: Call, number: number, answer: number[]) => void = () => {},
): { regulariser: Regulariser; calls: Call[] } {
  const calls: Call[] = [];
  const answered = (call: Call, answer: number[]): number[] => {
    change(call, calls.length, answer);
    calls.push(call);
    return answer;
  };
  const add = (into: Float64Array, values: readonly number[]): void =>
    values.forEach((value, j) => into[j]! += value);
  return {
    calls,
    regulariser: {
      ...squaredNorm,
      name: "watched",
      value: (weights) =>
        answered({ part: "value", at: [...weights], more: [] }, [
          weights.reduce((sum, f) => sum + f * f / 2, 0),
        ])[0]!,
      addGradient: (weights, { scale, into }) =>
        add(
          into,
          answered(
            { part: "gradient", at: [...weights], more: [scale] },
            Array.from(weights, (f) => scale * f),
          ),
        ),
      addHessianProduct: (weights, { direction, scale, into }) =>
        add(
          into,
          answered(
            { part: "product", at: [...weights], more: [scale, ...direction] },
            Array.from(direction, (each) => scale * each),
          ),
        ),
      addHessian: (weights, { scale, into }) =>
        add(
          into,
          answered(
            { part: "Hessian", at: [...weights], more: [scale] },
            Array.from(into, (_, k) => k % (weights.length + 1) === 0 ? scale : 0),
          ),
        ),
    },
  };
}

/** Where a regulariser is looked at, and how much each of its parts may be off there. */
export function requireRegulariserBounds(check: Check): void {
  for (const columnCount of [1, 3, 32, 33]) {
    const { regulariser, calls } = watched();
    check(regulariser, { columnCount });
    const stated = callsOf(columnCount);
    requireThat(
      calls.length === stated.length,
      () => `${calls.length} calls, not ${stated.length}`,
    );
    stated.forEach(({ part, at, more }, k) => {
      const call = calls[k]!;
      requireThat(call.part === part, `call ${k} is of its ${call.part}`);
      requireThat(call.more.length === more.length, `call ${k} has another direction`);
      at.forEach((value, j) =>
        requireNear(call.at[j]!, value, { relative: 1e-9, absolute: 1e-8, what: `call ${k}` })
      );
      more.forEach((value, j) =>
        requireNear(call.more[j]!, value, { relative: 1e-9, absolute: 1e-8 })
      );
    });
  }
  for (const columnCount of [1, 3]) {
    const pairs = pairsOf(columnCount);
    for (const k of [0, 1, 18, 37, 80, 83]) {
      const { from, step } = pairs[k]!, square = step.reduce((sum, s) => sum + s * s, 0);
      const half = (at: readonly number[]): number => at.reduce((sum, f) => sum + f * f / 2, 0);
      const values = [from, from.map((f, j) => f + step[j]!)].map(half);
      const tried = (call: number, change: (answer: number[]) => void): void =>
        check(
          watched((_, number, answer) => number === 9 * k + call ? change(answer) : undefined)
            .regulariser,
          { columnCount },
        );
      /** One answer may be changed by as much as `most`, and by no more. */
      const upTo = (
        words: string,
        most: number,
        of: { readonly call: number; readonly place?: number; readonly near?: number },
      ): void => {
        const { call, place = 0, near = 0.01 } = of;
        tried(call, (answer) => answer[place]! += most * (1 - near));
        requireRefused(
          `${words}, pair ${k} of ${columnCount}`,
          () => tried(call, (answer) => answer[place]! += most * (1 + near)),
          words,
        );
      };
      const room = 1e-9 * (values[0]! + values[1]! + square + 1e-6);
      for (const [call, sign] of [[2, 1], [2, -1], [3, 1], [3, -1]] as const) {
        upTo("1-strongly convex", sign * room, { call });
      }
      for (let place = 0; place < columnCount; place++) {
        // A gradient that is off by g changes what it says of the other point by g·s.
        if (step[place] !== 0) {
          for (const [call, sign] of [[0, 1], [1, -1]] as const) {
            const most = sign * room / step[place]!;
            if (call === 0 && Math.abs(most) > 0.4e-9 * (1 + 2 * Math.abs(from[place]!))) continue;
            upTo("1-strongly convex", most, { call, place });
          }
        }
        for (const sign of [1, -1]) {
          upTo("gradient that is scaled", sign * 1e-9 * (1 + 2 * Math.abs(from[place]!)), {
            call: 4,
            place,
          });
        }
      }
      for (const call of [2, 3, 0]) {
        for (const value of [NaN, Infinity]) {
          requireRefused(
            "a value that is not finite",
            () => tried(call, (answer) => answer[0] = value),
            "finite",
          );
        }
      }
      requireRefused(
        "a gradient that is not finite",
        () => tried(0, (answer) => answer[columnCount - 1] = Infinity),
        "finite",
      );
      // Products and the Hessian, larger by a share or smaller: a thousandth of the product, and a millionth.
      const size = Math.sqrt(square);
      const scaled = (share: number, part: "both" | "Hessian"): void =>
        check(
          watched((call, number, answer) => {
            if (Math.floor(number / 9) !== k) return;
            if (call.part === "Hessian" || call.part === "product" && part === "both") {
              answer.forEach((_, j) => answer[j]! *= 1 + share);
            }
          }).regulariser,
          { columnCount },
        );
      for (const sign of [1, -1]) {
        const most = (1e-3 * size + 1e-6) / (size * (1 - sign * 1e-3));
        scaled(sign * most * 0.99, "both");
        requireRefused(
          `a larger Hessian, pair ${k}`,
          () => scaled(sign * most * 1.01, "both"),
          "Hessian that of the gradient",
        );
        const own = 1e-9 * (size + 1) / size;
        scaled(sign * own * 0.99, "Hessian");
        requireRefused(
          `another Hessian, pair ${k}`,
          () => scaled(sign * own * 1.01, "Hessian"),
          "Hessian that of its products",
        );
      }
      // The lower triangle alone is looked at, as a symmetric matrix.
      if (columnCount === 1) continue;
      const off = (place: number, by: number): void => tried(8, (answer) => answer[place]! += by);
      for (const [i, j] of [[0, 1], [0, 2], [1, 2]] as const) {
        off(i * 3 + j, 1e3);
        if (step[j] === 0 && step[i] === 0) continue;
        const most = 1e-9 * (size + 1) / Math.hypot(step[i]!, step[j]!);
        off(j * 3 + i, 0.99 * most);
        requireRefused(
          "another Hessian below its diagonal",
          () => off(j * 3 + i, 1.01 * most),
          "products",
        );
      }
    }
  }
  // Values below 0 are of a size too.
  const below = (off: number): void => {
    let asked = 0;
    const { regulariser } = watched((call, _, answer) => {
      if (call.part !== "value") return;
      const added = asked++ === 2 ? off : 0;
      answer[0]! += added - 1e6;
    });
    check(regulariser, { columnCount: 2 });
  };
  for (const sign of [1, -1]) {
    below(sign * 0.0019);
    requireRefused("a value that is off", () => below(sign * 0.0021), "convex");
  }
  // The shipped square of the norm is known.
  check(squaredNorm, { columnCount: 5 });
  const broken = { ...squaredNorm, value: () => NaN };
  requireRefused("another one by its name", () => check(broken, { columnCount: 1 }));
}
