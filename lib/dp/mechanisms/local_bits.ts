import { requireFields } from "../../core/numeric/require.ts";
import { evaluatedOnce } from "./evaluated_once.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { Dataset } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Source } from "../../core/mechanism/source.ts";

/** A report of bits about one respondent: each bit is 1 independently, with one of two chances. */
export interface BitReport<Row> {
  /** Name in reports. */
  readonly name: string;
  /** Privacy claim. */
  readonly claim: Claim;
  /** Bits in a report. */
  readonly width: number;
  /** The bits of a value before noise. @throws when the value cannot be reported. */
  readonly encode: (value: Row) => Uint8Array;
  /** One noisy bit, exactly. */
  readonly draw: (bit: number, source: Source) => number;
  /** The chance of a 1 for a bit 0 and a bit 1. */
  readonly chanceOfOne: readonly [number, number];
  /** The chance of a 0 for a bit 0 and a bit 1; one minus the other loses digits near 1. */
  readonly chanceOfZero: readonly [number, number];
}

/** The mechanism of a bit report. A dataset is one respondent: one row. */
export function bitReport<Row>(
  options: BitReport<Row>,
): Mechanism<Row, number[]> {
  const { name, claim, width, encode, draw, chanceOfOne, chanceOfZero } = requireFields(
    "bitReport",
    options,
    {
      claim: "record",
      encode: "function",
      draw: "function",
      chanceOfOne: "list",
      chanceOfZero: "list",
    },
  );
  const only = evaluatedOnce((data: Dataset<Row>): Uint8Array => {
    if (data.length !== 1) {
      throw new RangeError(
        `Cannot release ${name}: a report is about one row: current number is ${data.length}`,
      );
    }
    return encode(data[0]!);
  });
  return {
    name,
    claim,
    width,
    check: (data) => void only(data),
    sample: (data, source) => Array.from(only(data), (bit) => draw(bit, source)),
    sampleMany(data: Dataset<Row>, count: number, source: Source): Float64Array {
      const bits = only(data);
      const out = new Float64Array(count * width);
      for (let i = 0; i < out.length; i++) out[i] = draw(bits[i % width]!, source);
      return out;
    },
    logDensity(output: number[], data: Dataset<Row>): number {
      const bits = only(data);
      if (output.length !== width) return -Infinity;
      return output.reduce((sum, said, i) => {
        const bit = bits[i] as 0 | 1;
        const chance = said === 1 ? chanceOfOne[bit] : said === 0 ? chanceOfZero[bit] : 0;
        return sum + Math.log(chance);
      }, 0);
    },
  };
}
