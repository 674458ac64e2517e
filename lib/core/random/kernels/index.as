export * from "./bernoulli";
export * from "./block_inversion";
export * from "./uniform";
export * from "./xoshiro128";
export * from "./ziggurat";

/** The first address after the constants. */
export function firstAddress(): usize {
  return __heap_base;
}
