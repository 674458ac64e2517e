/**
 * Returns the argument that minimises a unimodal function of a positive number, by a golden-section search on the logarithm of the argument
 * (Kiefer 1953).
 *
 * @param from the least argument, positive
 * @param to the largest argument
 * @param within the width in the logarithm at which the search ends
 */
export function minimiserOf(
  at: (argument: number) => number,
  { from, to, within }: { from: number; to: number; within: number },
): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = Math.log(from), high = Math.log(to);
  let left = high - ratio * (high - low), right = low + ratio * (high - low);
  let leftValue = at(Math.exp(left)), rightValue = at(Math.exp(right));
  while (high - low > within) {
    // An overflow on both sides (a NaN compares false) is an argument far too large.
    if (!(leftValue > rightValue)) {
      [high, right, rightValue] = [right, left, leftValue];
      left = high - ratio * (high - low);
      leftValue = at(Math.exp(left));
    } else {
      [low, left, leftValue] = [left, right, rightValue];
      right = low + ratio * (high - low);
      rightValue = at(Math.exp(right));
    }
  }
  return Math.exp(0.5 * (low + high));
}
