import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import type { FiniteDomain } from "./finite_domain.ts";

/**
 * A counting query: how many rows lie in a box. Ranges are boxes that leave the other attributes whole,
 * the cells of a marginal are boxes with one code in each of its attributes. One row replaced, added or
 * removed moves its answer by at most 1.
 */
export interface BoxQuery {
  /** The lowest code of each attribute. */
  readonly lower: readonly number[];
  /** The highest code of each attribute, included. */
  readonly upper: readonly number[];
}

/**
 * The query for a range of codes, from first to last included, of each attribute named by its position;
 * attributes left out may have any code.
 *
 * @throws {RangeError} when an attribute or a code is outside the domain, or a range is empty.
 *
 * @example
 * ```ts
 * import { rangeQuery } from "./box_query.ts";
 * import { finiteDomain } from "./finite_domain.ts";
 * const adults = rangeQuery(finiteDomain({ shape: [2, 100] }), { 1: [18, 99] });
 * ```
 */
export function rangeQuery(
  options: FiniteDomain,
  ranges: Readonly<Record<number, readonly [first: number, last: number]>>,
): BoxQuery {
  const { shape } = requireFields("rangeQuery", options, { shape: "list" });
  requireKind("rangeQuery", "ranges", ranges, "record");
  const lower = shape.map(() => 0), upper = shape.map((values) => values - 1);
  for (const [key, [first, last]] of Object.entries(ranges)) {
    const attribute = Number(key), values = shape[attribute];
    const inside = values !== undefined && Number.isInteger(first) && Number.isInteger(last) &&
      first >= 0 && first <= last && last < values;
    if (!inside) {
      throw new RangeError(
        `Cannot make a range query: ranges must be of codes of the domain's ${shape.length} attributes, the first not above the last: current value is [${first}, ${last}] of attribute ${key}`,
      );
    }
    lower[attribute] = first;
    upper[attribute] = last;
  }
  return { lower, upper };
}

/**
 * Returns a query for each cell of the marginal of some attributes, the last named fastest.
 *
 * @throws {RangeError} when an attribute is outside the domain.
 *
 * @example
 * ```ts
 * import { marginalQueries } from "./box_query.ts";
 * import { finiteDomain } from "./finite_domain.ts";
 * marginalQueries(finiteDomain({ shape: [2, 3, 9] }), { attributes: [0, 1] }).length; // 6
 * ```
 */
export function marginalQueries(
  domain: FiniteDomain,
  options: { attributes: readonly number[] },
): BoxQuery[] {
  requireKind("marginalQueries", "domain", domain, "record");
  const { attributes } = requireFields("marginalQueries", options, { attributes: "list" });
  requireKnown("call marginalQueries()", options, ["attributes"]);
  let fixed: Record<number, [first: number, last: number]>[] = [{}];
  for (const attribute of attributes) {
    const values = domain.shape[attribute];
    if (values === undefined) {
      throw new RangeError(
        `Cannot make marginal queries: attributes must be from 0 to ${
          domain.shape.length - 1
        }: current value is ${attribute}`,
      );
    }
    fixed = fixed.flatMap((ranges) =>
      Array.from({ length: values }, (_, code): typeof ranges => ({
        ...ranges,
        [attribute]: [code, code],
      }))
    );
  }
  return fixed.map((ranges) => rangeQuery(domain, ranges));
}
