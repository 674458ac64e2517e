/** Randomised response that tells the truth with probability `truth`: its ε is ln(truth/(1 − truth)). */
export function response(truth: number): string {
  return `export default ([bit], source) => source.uniform() < ${truth} ? bit : !bit;`;
}
export const PAIR = ["--left", "[false]", "--right", "[true]", "--relation", "replace-one"];
export const BUDGET = ["--max-draws", "1000", "--seed", "1"];
