/** Halvings of the interval in which the largest parameter lies. */
const HALVINGS = 60;
/** No parameter above this is tried. */
const LARGEST = 1e6;

/**
 * Returns the supremum of the parameters at which `holds`: a property that holds up to some parameter and not above it. 0 if it holds
 * nowhere. The search begins at `start`.
 */
export function largestParameter(holds: (parameter: number) => boolean, start: number): number {
  let low = 0, high = start;
  while (high < LARGEST && holds(high)) {
    low = high;
    high *= 2;
  }
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
