/** Scales a histogram so that its sum is `size`. In place. */
export function scaleTo(size: number, histogram: Float64Array): void {
  let sum = 0;
  for (let i = 0; i < histogram.length; i++) sum += histogram[i]!;
  const scale = size / sum;
  for (let i = 0; i < histogram.length; i++) histogram[i] = histogram[i]! * scale;
}
