import type { Dataset, Domain } from "../../lib/core/relations/dataset.ts";
import {
  asserted,
  type Pair,
  pairOf,
  type Relation,
  sameRow,
} from "../../lib/core/relations/relation.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import type { AuditArguments } from "./command_options.ts";
import { BadInput, reading } from "./bad_input.ts";
import { SEARCHED_RELATIONS } from "./relation_value.ts";
import { parseRowSpec } from "./row_spec.ts";

/** The pair that the options fix, or the domain to search, or neither when the subject has its own. */
export interface Datasets {
  readonly pair?: Pair;
  readonly domain?: Domain;
}

/**
 * The datasets that the options ask for.
 *
 * @throws {BadInput} when there are none, half of a pair, or two datasets that are not neighbours under `relation`.
 */
export function datasetsOf(
  options: Pick<AuditArguments, "left" | "right" | "rows" | "size">,
  { subject, relation }: {
    readonly subject: Pick<Subject, "domain">;
    readonly relation: Relation;
  },
): Datasets {
  const { left, right, rows, size } = options;
  if (left !== undefined || right !== undefined) {
    if (rows !== undefined) {
      throw new BadInput(`--rows ${rows.text} cannot be given with --left and --right`);
    }
    if (size !== undefined) {
      throw new BadInput(
        `--size ${size.min}..${size.max} cannot be given with --left and --right: it goes with --rows`,
      );
    }
    if (right === undefined) throw new BadInput(`--left ${left!.text} must come with --right`);
    if (left === undefined) throw new BadInput(`--right ${right.text} must come with --left`);
    for (const [option, { text, value }] of Object.entries({ "--left": left, "--right": right })) {
      if (relation !== asserted && !Array.isArray(value)) {
        throw new BadInput(`${option} ${text} must be an array of rows under ${relation.name}`);
      }
    }
    if (sameRow(left.value, right.value)) {
      throw new BadInput(`--left ${left.text} and --right ${right.text} must differ`);
    }
    const both = { left: left.value as Dataset, right: right.value as Dataset };
    return {
      pair: reading(
        "--left",
        `${left.text} --right ${right.text}`,
        () => pairOf(relation, both),
      ),
    };
  }
  if (rows !== undefined) {
    if (size === undefined) throw new BadInput(`--rows ${rows.text} must come with --size A..B`);
    if (relation === asserted) {
      throw new BadInput(
        `--rows ${rows.text} must come with --relation ${SEARCHED_RELATIONS}`,
      );
    }
    return { domain: { rows: reading("--rows", rows.text, () => parseRowSpec(rows.value)), size } };
  }
  if (size !== undefined) {
    throw new BadInput(`--size ${size.min}..${size.max} must come with --rows`);
  }
  if (subject.domain === undefined) {
    throw new BadInput(
      "give two neighbouring datasets, --left JSON and --right JSON, or datasets to search, " +
        "--rows SPEC --size A..B --relation NAME",
    );
  }
  return {};
}
