import { approximate, type Claim, zcdp } from "../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../lib/core/relations/relation.ts";

export const soft = approximate({ epsilon: 1, delta: 1e-6, relation });
export const rho = (value: number): Claim => zcdp({ rho: value, relation });
export const withDelta = (epsilon: number, delta: number): Claim =>
  approximate({ epsilon, delta, relation });
