import { all, type BigNumber, create } from "mathjs";
import { rational } from "../../../lib/core/numeric/rational.ts";

/** The judge of what is rounded: 80 digits. */
const math = create(all!, { number: "BigNumber", precision: 80 });

/** A double as it is, not as its shortest decimals; or a whole number. */
export function bigNumber(value: number | bigint): BigNumber {
  const { numerator, denominator } = rational(value);
  return math.bignumber(`${numerator}`).div(math.bignumber(`${denominator}`));
}

export type { BigNumber };
