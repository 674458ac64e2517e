import type { Claim } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { paddedBlocks } from "./padded_blocks.ts";

/** Parts of a mechanism that answers each row independently of the others. */
interface RowByRow<Row, Answer> {
  readonly name: string;
  readonly claim: Claim;
  readonly domain?: Domain | undefined;
  /** True if answers are finite numbers or booleans, which can be drawn in blocks. */
  readonly numeric: boolean;
  /** Throws when a row cannot be answered. */
  readonly check: (data: Dataset<Row>) => void;
  /** The answer to one row, exactly in its law. */
  readonly answer: (row: Row, source: Source) => Answer;
  /** Natural logarithm of the probability of an answer to a row; −Infinity for what is not an answer. */
  readonly logChance: (row: Row, answer: Answer) => number;
}

/**
 * The mechanism that answers row by row; its output is the list of answers, in order. With a domain of at
 * most 64 rows, numeric answers come in blocks too, in the order of the seeded stream of `sample`.
 */
export function rowByRow<Row, Answer>(
  { name, claim, domain, numeric, check, answer, logChance }: RowByRow<Row, Answer>,
): Mechanism<Row, Answer[]> & Required<Pick<Mechanism<Row, Answer[]>, "logDensity">> {
  return {
    name,
    claim,
    ...(domain === undefined ? {} : { domain }),
    check,
    sample(data: Dataset<Row>, source: Source): Answer[] {
      check(data);
      return data.map((row) => answer(row, source));
    },
    ...paddedBlocks<Row>({
      name,
      most: numeric ? domain?.size.max : undefined,
      prepare: (data) => {
        check(data);
        return {
          length: data.length,
          fill(rows, { width, source }): void {
            for (let i = 0; i < rows.length; i += width) {
              for (let j = 0; j < data.length; j++) rows[i + j] = Number(answer(data[j]!, source));
            }
          },
        };
      },
    }),
    logDensity: (output: Answer[], data: Dataset<Row>): number =>
      output.length === data.length
        ? output.reduce((sum, said, i) => sum + logChance(data[i]!, said), 0)
        : -Infinity,
  };
}
