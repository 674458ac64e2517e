import { inKernelMemory } from "./kernels/kernels.ts";

/** The most numbers that a kernel sorts, and the fewest. */
const MOST = 1 << 13, FEWEST = 128;

/** Buffers for numbers, for as many again, and for the counts of their bytes. */
const buffersOf = inKernelMemory(16 * MOST + (1 << 13), ({ memory, sortNumbers }, address) => ({
  values: new Float64Array(memory, address, MOST),
  sort: (count: number) => sortNumbers(address, count, address + 8 * MOST, address + 16 * MOST),
}));

/** Sorts numbers in place, in ascending order, −0 before 0, and returns them. None of them is NaN. */
export function sortNumbers(values: Float64Array): Float64Array {
  const n = values.length;
  const buffers = n < FEWEST || n > MOST ? undefined : buffersOf();
  if (buffers === undefined) return values.sort();
  buffers.values.set(values);
  buffers.sort(n);
  values.set(buffers.values.subarray(0, n));
  return values;
}
