import { bareJson } from "../../core/text/bare_json.ts";
import { concentratedLoss } from "./two_laws.ts";
import { type Loss, NO_LOSS } from "./loss.ts";
import type { Read } from "./recording.ts";

/** Returns the largest loss of a discrete draw over its outcomes; `undefined` where the laws are not of one kind, or not known. */
export function lossOfDraw(a: Read, b: Read): Loss | undefined {
  const own = chancesOf(a), other = chancesOf(b);
  if (own !== undefined && other?.length === own.length) {
    return lossOfChances(own, other, drawsOf(a));
  }
  if (a.binomial !== undefined && b.binomial !== undefined && a.binomial[0] === b.binomial[0]) {
    const [n, p] = a.binomial, [, q] = b.binomial;
    return lossOfChances([p, 1 - p], [q, 1 - q], n);
  }
  return lawOf(a) === lawOf(b) ? NO_LOSS : undefined;
}

/** The most outcomes of a draw that are compared one by one. */
const MOST_OUTCOMES = 1000;

function chancesOf({ chances, uniform = Infinity }: Read): readonly number[] | undefined {
  if (chances !== undefined || uniform > MOST_OUTCOMES) return chances;
  return Array.from({ length: uniform }, () => 1 / uniform);
}

/** Counts the draws of the same chances in one read: the last entry of its shape is the number of outcomes. */
function drawsOf({ shape }: Read): number {
  return shape.slice(0, -1).reduce((product, size) => product * size, 1);
}

function lawOf(
  { chances, binomial, geometric, subset, permutation, uniform, other }: Read,
): string {
  return bareJson({ chances, binomial, geometric, subset, permutation, uniform, other })!;
}

/** Returns true if two chances differ by what sums round alone: by the last digits, or as nothing does from what a sum near 1 leaves. */
export function isRounding(p: number, q: number): boolean {
  const [less, more] = p < q ? [p, q] : [q, p];
  return more - less <= 1e-12 * less || less === 0 && more <= 2 ** -46;
}

/** Returns the loss of so many draws by chances that change: {@linkcode NO_LOSS} where they do not. */
export function lossOfChances(a: readonly number[], b: readonly number[], count = 1): Loss {
  const most = Math.max(
    ...a.map((p, i) => isRounding(p, b[i]!) ? 0 : Math.abs(Math.log(p / b[i]!))),
    0,
  );
  if (most === 0 || count === 0) return NO_LOSS;
  const same = b.map((q, i) => isRounding(a[i]!, q) ? a[i]! : q);
  const laws = { left: a.map(Math.log), right: same.map(Math.log) };
  const rho = Math.max(
    concentratedLoss(laws),
    concentratedLoss({ left: laws.right, right: laws.left }),
  );
  const epsilon = count * most;
  return {
    ...NO_LOSS,
    pure: [epsilon],
    unspent: Number.isFinite(epsilon) ? Math.max(0, epsilon * epsilon - 2 * count * rho) : 0,
  };
}

/** Says how the laws of two draws differ, as a part of a sentence. */
export function drawDetail(a: Read, b: Read): string {
  if (a.permutation !== undefined && b.permutation !== undefined) {
    return `${a.permutation} rows are shuffled on one side and ${b.permutation} on the other`;
  }
  if (a.subset !== undefined && b.subset !== undefined) {
    return `${a.subset[1]} of ${a.subset[0]} are sampled on one side, ${b.subset[1]} of ${
      b.subset[0]
    } on the other`;
  }
  if (a.chances !== undefined && b.chances !== undefined) {
    return `a draw has ${a.chances.length} outcomes on one side and ${b.chances.length} on the other`;
  }
  return "a draw has another law on the other side";
}
