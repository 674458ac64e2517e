import type { DiscreteLaw } from "../../../../lib/core/mechanism/discrete_law.ts";
import type { Source } from "../../../../lib/core/mechanism/source.ts";

/** A source that answers each exact draw as it is told, and keeps the laws that it was asked for. */
export interface ScriptedSource extends Source {
  /** The laws of all draws, in their order. */
  readonly laws: DiscreteLaw[];
}

/**
 * Makes one. Draws in floating point are refused.
 *
 * @param answer the value of a draw by its law and its number; 0 for all by default
 */
export function scriptedSource(
  answer: (law: DiscreteLaw, draw: number) => number = () => 0,
): ScriptedSource {
  const laws: DiscreteLaw[] = [];
  const refused = (): never => {
    throw new Error("a draw in floating point");
  };
  const source: ScriptedSource = {
    kind: "seeded",
    laws,
    uint32: refused,
    uniform: refused,
    fillUint32: refused,
    split: () => source,
    branch(law): number {
      laws.push(law);
      return answer(law, laws.length - 1);
    },
  };
  return source;
}
