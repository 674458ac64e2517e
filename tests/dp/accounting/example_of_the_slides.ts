import {
  addUniformModulo,
  mixWithUniform,
  replaceByAnother,
} from "../../../lib/papers/breaches/randomisation_operator.ts";

/** The three operators on 0 to 1000 of Evfimievski, Gehrke, Srikant 2003, section 1.2. */
export const r1 = replaceByAnother({ size: 1001, keep: 0.2 });
export const r2 = addUniformModulo({ size: 1001, reach: 100 });
export const r3 = mixWithUniform(r2, { keep: 0.5 });

/** P(x = 0) = 0.01 and P(x) = 0.00099 elsewhere. */
export const prior: readonly number[] = Array.from(
  { length: 1001 },
  (_, value) => value === 0 ? 0.01 : 0.00099,
);

export const isZero = (value: number): boolean => value === 0;
