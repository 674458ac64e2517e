// The bins of values between ascending thresholds (lib/audit/encoding/bin_index.ts).
//
// Bound by loads and by branches that are predicted badly: a table by cells of the line holds the threshold to begin with, and
// in a loop until the value is not larger the last turn is a guess of the processor. Here the loop has a fixed number of turns,
// the most that any cell needs, each an addition of a comparison; four values are under way at once in four histograms, for an
// addition to a count waits for the one before it.

@inline
function startOf(x: f64, low: f64, scale: f64, cells: f64, first: usize): usize {
  // min and max give NaN where one is: the truncation makes it 0.
  const place = min(max((x - low) * scale, 0), cells);
  return <usize> load<u16>(first + (<usize> (<i32> place) << 1));
}

@inline
function binOf(x: f64, start: usize, turns: i32, thresholds: usize, last: usize): usize {
  let k = start;
  for (let turn = 0; turn < turns; turn++) {
    k += <usize> (load<f64>(thresholds + (k << 3)) < x);
  }
  return x === x ? k : last + 1;
}

/**
 * Writes the bins of `n` values as 32-bit integers: the number of thresholds below, `last` + 1 for NaN. The thresholds end with
 * an infinite one more.
 */
export function fillBins(
  values: usize,
  n: usize,
  bins: usize,
  thresholds: usize,
  last: usize,
  low: f64,
  scale: f64,
  cells: f64,
  first: usize,
  turns: i32,
): void {
  for (let i: usize = 0; i < n; i++) {
    const x = load<f64>(values + (i << 3));
    const start = startOf(x, low, scale, cells, first);
    store<u32>(bins + (i << 2), <u32> binOf(x, start, turns, thresholds, last));
  }
}
