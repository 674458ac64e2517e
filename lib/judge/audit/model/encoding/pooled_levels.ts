/** About how many values are sorted for pooled levels, and the quantiles among them that become levels. */
const SORTED_VALUES = 4096, LEVELS = [0.1, 0.25, 0.5, 0.75, 0.9];

/** A value is frequent with more than this share of all values; the most frequent values that have features. */
const FREQUENT_SHARE = 0.02, MAX_FREQUENT = 4;

/** Returns quantiles of all columns' values together, and the most frequent values. */
export function pooledLevels(
  rows: Float64Array,
  { width, elements }: { width: number; elements: number },
): { levels: number[]; frequent: number[] } {
  const found: number[] = [];
  const count = rows.length / width;
  const step = Math.max(1, Math.floor((count * elements) / SORTED_VALUES));
  for (let i = 0; i < count; i += step) {
    for (let j = 0; j < elements; j++) {
      const value = rows[i * width + j]!;
      if (!Number.isNaN(value)) found.push(value);
    }
  }
  const sample = Float64Array.from(found).sort();
  const counts = new Map<number, number>();
  for (const value of sample) counts.set(value, (counts.get(value) ?? 0) + 1);
  const frequent = [...counts]
    .filter(([, count]) => count > FREQUENT_SHARE * sample.length && count > 2)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_FREQUENT)
    .map(([value]) => value);
  const levels = counts.size <= MAX_FREQUENT
    ? []
    : LEVELS.map((q) => sample[Math.floor(q * (sample.length - 1))]!);
  return { levels: [...new Set(levels)], frequent };
}
