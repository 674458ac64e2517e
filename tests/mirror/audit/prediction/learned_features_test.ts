import { assertEquals } from "@std/assert";
import { encoderOf } from "../../../../lib/audit/encoding/encoder.ts";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import { growTree } from "../../../../lib/audit/partition/grow_tree.ts";
import type { Effort } from "../../../../lib/audit/prediction/effort.ts";
import { learnedFeatures } from "../../../../lib/audit/prediction/learned_features.ts";
import { normalRows, noShift } from "../labelled_rows.ts";
import { EFFORTS } from "./predictor_outputs.ts";

function featuresOn(
  { n, width, effort }: { n: number; width: number; effort: Effort },
): readonly Feature[] {
  const all = normalRows({ n, shift: noShift(width), seed: 71 });
  const encoder = encoderOf([{ kind: "block", width, values: all.rows }]);
  return learnedFeatures(all, { encoder, centres: undefined, signs: undefined, effort }).features;
}

const hasDistance = (features: readonly Feature[]): boolean =>
  features.some(({ kind }) => kind === "distance");

// Mutants: at any effort, any width, any number of draws.
Deno.test("learnedFeatures() has the distance of few single numbers from their middle, with effort quick", () => {
  for (const effort of EFFORTS) {
    for (const [n, width] of [[400, 1], [511, 1], [512, 1], [400, 2]] as const) {
      const expected = effort === "quick" && width === 1 && n < 512;
      assertEquals(
        hasDistance(featuresOn({ n, width, effort })),
        expected,
        `${effort} ${n} ${width}`,
      );
    }
  }
});

Deno.test("growTree() splits on the distance where the scale differs, and on the number where it moves", () => {
  for (const scale of [1, 0.5]) {
    const all = normalRows({ n: 400, shift: noShift(1), seed: 72 });
    const rows = all.rows.map((x, i) =>
      all.labels[i] === 1 ? scale * x + (scale === 1 ? 0.8 : 0) : x
    );
    const encoder = encoderOf([{ kind: "block", width: 1, values: rows }]);
    const learned = learnedFeatures({ ...all, rows }, {
      encoder,
      centres: undefined,
      signs: undefined,
      effort: "quick",
    });
    const { partition } = growTree({ ...all, rows, ...learned });
    assertEquals(
      partition.features[partition.feature[0]!]!.kind,
      scale === 1 ? "column" : "distance",
    );
  }
});
