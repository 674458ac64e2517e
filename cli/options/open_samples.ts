import { countOf, joinOutputs, type Outputs } from "../../lib/judge/audit/kernel/outputs.ts";
import { readSamples } from "../../lib/judge/audit/subjects/recorded/read_samples.ts";
import {
  SamplesExhausted,
  samplesPair,
  type SamplesSubject,
  samplesSubject,
} from "../../lib/judge/audit/subjects/recorded/samples_subject.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import type { Pair } from "../../lib/core/relations/relation.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import { BadInput, reading } from "./bad_input.ts";

/** Fewer outputs on a side are too few for coins. */
const FEWEST = 50;

/** Recorded outputs made a subject: what to audit, and on which pair. */
export interface Recording {
  readonly subject: Subject;
  readonly pair: Pair;
}

/** Opens the files of `--samples`. @throws {BadInput} when there are not two, or one cannot be read. */
export async function openSamples(
  files: readonly string[],
  { source }: { readonly source: Source },
): Promise<Recording> {
  if (files.length !== 2) {
    throw new BadInput(`--samples ${files.join(" ")} must name two files, LEFT and RIGHT`);
  }
  const [left, right] = files as [string, string];
  const pair = samplesPair({ left, right });
  const sides = { left: await read(left), right: await read(right) };
  const name = `the program recorded in ${left} and ${right}`;
  return {
    pair,
    subject: endless((round) =>
      samplesSubject({ ...sides, pair, source: source.split(round), name })
    ),
  };
}

/** Hands out every output once, and starts again if coins ask for more than there are: see `drawsThatLast`. */
function endless(deal: (round: number) => SamplesSubject): Subject {
  let round = 0;
  let deck = deal(round);
  return {
    ...deck,
    draw(data: unknown, count: number): Outputs {
      const parts: Outputs[] = [];
      for (let left = count; left > 0;) {
        const part = Math.min(left, FEWEST);
        try {
          parts.push(deck.draw(data, part));
          left -= part;
        } catch (error) {
          if (!(error instanceof SamplesExhausted)) throw error;
          deck = deal(++round);
        }
      }
      return joinOutputs(parts);
    },
  };
}

async function read(file: string): Promise<Outputs> {
  const outputs = await reading("--samples", file, () => readSamples(file));
  const count = countOf(outputs);
  if (count < FEWEST) {
    throw new BadInput(`--samples ${file} must hold at least ${FEWEST} outputs: it holds ${count}`);
  }
  return outputs;
}
