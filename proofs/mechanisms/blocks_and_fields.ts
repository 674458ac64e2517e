import { paddedBlocks } from "../../lib/mechanisms/padded_blocks.ts";
import {
  requireFields,
  requireLeastDelta,
  requirePadding,
  requireReports,
  requireRowBlocks,
} from "../checks/mechanism_blocks.ts";
import { requireMechanismRooms, requireShiftedTranscripts } from "../checks/mechanism_rooms.ts";
import { requireTranscripts } from "../checks/sparse_transcripts.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

type Padding = typeof paddedBlocks;

/** How outputs come in blocks, and what mechanisms say of themselves. */
export const blocksAndFields = theorem<Padding>({
  id: "mechanisms/blocks_and_fields",
  statement:
    "Blocks of outputs are as wide as the longest one, of 64 numbers at most, with NaN for what an output lacks; transcripts of the sparse vector end where enough " +
    "answers are above, and bits of reports have the chance of their category; a mechanism has no field without something in it.",
  citation: "each mechanism names its own theorem; Wang, Blocki, Li, Jha 2017 on unary encoding",
  source: "lib/mechanisms",
  kind: "exhaustive",
  checked:
    "blocks of eleven widths; transcripts of seven streams; all reports on three categories; the fields of every mechanism of the registry, of all factories with and without a domain, and of each of them mapped",
  subject: paddedBlocks,
  check: (blocks) =>
    casesOf({
      "fields": requireFields,
      "padding": () => requirePadding(blocks),
      "rows in blocks": requireRowBlocks,
      "transcripts": requireTranscripts,
      "reports": requireReports,
      "the least δ": requireLeastDelta,
      "room and ends": requireMechanismRooms,
      "transcripts about any threshold": requireShiftedTranscripts,
    }),
  mutants: {
    "any width": ({ most, ...options }) =>
      most === 65 ? paddedBlocks({ ...options, most: 64 }) : paddedBlocks({ ...options, most }),
    "zeros for what an output lacks": (options) => {
      const blocks = paddedBlocks(options);
      return blocks.sampleMany === undefined ? blocks : {
        ...blocks,
        sampleMany: (...drawn) =>
          blocks.sampleMany!(...drawn).map((value) => Number.isNaN(value) ? 0 : value),
      };
    },
    "no blocks of one": (options) => options.most === 1 ? {} : paddedBlocks(options),
  },
});
