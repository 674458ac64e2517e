import { createHash } from "node:crypto";
import type { ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import type { Dataset } from "../../../core/relations/dataset.ts";
import { programSource } from "../../../core/random/program_source.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import { KnownLaws } from "./branching_source.ts";
import { drawingFrom } from "./drawing_from.ts";
import { enumerateOutputs, GivenUp, type OutputLaw } from "./enumerate_outputs.ts";
import { FactorProducts } from "./factor_products.ts";
import type { OutcomeUnits } from "./law_outcomes.ts";
import { drawingOwn } from "../own_randomness.ts";
import { outputKey, thrownKey } from "./output_key.ts";

/** A program that draws by the methods of its source. */
type Program = (data: unknown, source: ProgramSource) => unknown;

/** What is computed of a program on one dataset, so that two instances of it can be compared. */
export interface Question {
  readonly data: unknown;
  /** The law of its outputs as far as it was computed before. Absent: outputs for some seeds are compared. */
  readonly law?: Pick<OutputLaw, "cut" | "branches"> & Pick<OutcomeUnits, "scale" | "bits">;
}

/** Outputs that are compared where laws are not. */
const SEEDS = 32;

/** Returns a text, the same for equal laws. */
export function lawDigest({ outputs }: Pick<OutputLaw, "outputs">): string {
  return digest([...outputs.keys()].sort().map((key) => `${key} ${outputs.get(key)!.lower}`));
}

/** Returns the answer of a program to a question, as a text that is the same for equal answers. */
export function answerDigest(program: Program, { data, law }: Question): string {
  if (law === undefined) return digest(seededOutputs(program, data));
  const { scale, bits, cut, branches } = law;
  const run = drawingFrom(program);
  try {
    return lawDigest(
      enumerateOutputs((source) => run(structuredClone(data) as Dataset, source), {
        laws: new KnownLaws({ scale, bits, products: new FactorProducts() }),
        cut,
        maxBranches: branches,
      }),
    );
  } catch (error) {
    if (error instanceof GivenUp) return "more paths";
    throw error;
  }
}

function seededOutputs(program: Program, data: unknown): string[] {
  return Array.from({ length: SEEDS }, (_, seed) => {
    try {
      const source = programSource(new SeededSource(seed));
      return outputKey(drawingOwn(source.uniform, () => program(structuredClone(data), source)));
    } catch (error) {
      return thrownKey(error);
    }
  });
}

function digest(lines: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(lines)).digest("hex");
}
