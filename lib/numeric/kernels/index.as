export { scoreRows } from "./additive_score";
export * from "./bernoulli";
export * from "./bin_index";
export * from "./block_inversion";
export { descendRows } from "./descent";
export * from "./distinct_rows";
export * from "./radix_sort";
export * from "./row_statistics";
export * from "./score_bins";
export * from "./uniform";
export * from "./xoshiro128";
export * from "./ziggurat";

/** The first address after the constants. */
export function firstAddress(): usize {
  return __heap_base;
}
