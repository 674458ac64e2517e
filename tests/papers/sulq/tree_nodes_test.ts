import { assert, assertEquals } from "@std/assert";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  type CategoricalRow,
  type DecisionTreeOptions,
  sampleDecisionTree,
  treeCalibration,
  type TreeNode,
} from "../../../lib/papers/sulq/decision_tree.ts";
import type { SulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { silentNoise } from "./silent_noise.ts";

const source = new SeededSource(2604);
/** So little noise that a node of any rows at all is divided. */
const SURE = { rho: 1e12, relation: replaceOne };

/** The bits, not nats, that the class still needs where the value of an attribute is known. */
function remaining(rows: readonly CategoricalRow[], attribute: number): number {
  let bits = 0;
  for (const value of new Set(rows.map(({ values }) => values[attribute]!))) {
    const there = rows.filter(({ values }) => values[attribute] === value);
    for (const label of new Set(there.map((row) => row.label))) {
      const share = there.filter((row) => row.label === label).length / there.length;
      bits += there.length * share * Math.log2(1 / share);
    }
  }
  return bits;
}

/** ID3 by its definition; `undefined` where two attributes are as good, or two classes as frequent. */
function id3(
  rows: readonly CategoricalRow[],
  { attributes, classes }: Pick<DecisionTreeOptions, "attributes" | "classes">,
  left: readonly number[],
  depth: number,
): TreeNode | undefined {
  const counts = Array.from(
    { length: classes },
    (_, k) => rows.filter((row) => row.label === k).length,
  );
  if (depth === 0 || left.length === 0 || rows.length === 0) {
    const label = counts.indexOf(Math.max(...counts));
    const isTied = counts.filter((count) => count === counts[label]).length > 1;
    return isTied && rows.length > 0 ? undefined : { kind: "leaf", label };
  }
  const needs = left.map((attribute) => remaining(rows, attribute));
  const least = Math.min(...needs);
  if (needs.filter((need) => need < least + 1e-6).length > 1) return undefined;
  const attribute = left[needs.indexOf(least)]!, children: TreeNode[] = [];
  for (let value = 0; value < attributes[attribute]!; value++) {
    const child = id3(
      rows.filter(({ values }) => values[attribute] === value),
      { attributes, classes },
      left.filter((other) => other !== attribute),
      depth - 1,
    );
    if (child === undefined) return undefined;
    children.push(child);
  }
  return { kind: "test", attribute, children };
}

// Mutants: entropies of the wrong cells, of single rows, of other classes; leaves and depths off by one.
Deno.test("sampleDecisionTree() without noise is ID3 by its definition, on 600 small datasets", () => {
  let compared = 0;
  for (let run = 0; run < 600; run++) {
    const attributes = Array.from(
      { length: 1 + source.uint32() % 3 },
      () => 2 + source.uint32() % 3,
    );
    const classes = 2 + source.uint32() % 3, depth = source.uint32() % 4;
    const data = Array.from({ length: 4 + source.uint32() % 30 }, () => ({
      values: attributes.map((many) => source.uint32() % many),
      label: source.uint32() % classes,
    }));
    const expected = id3(data, { attributes, classes }, attributes.map((_, a) => a), depth);
    if (expected === undefined) continue;
    compared++;
    const { root } = sampleDecisionTree(source, {
      ...SURE,
      attributes,
      classes,
      depth,
      data,
      ...silentNoise(),
    });
    assertEquals(root, expected);
  }
  assert(compared > 100, `${compared} datasets without a tie`);
});

/** Noise that gives these units, table by table. */
function statedNoise(tables: readonly (readonly number[])[], stepsPerUnit = 4): SulqNoise {
  let table = 0;
  return {
    stepsPerUnit,
    noise: {
      fill(_source, out): Float64Array {
        out.set((tables[table++] ?? []).map((units) => units * stepsPerUnit));
        return out;
      },
      logProbability: () => 0,
      logUpperTail: () => 0,
    },
  };
}

// Mutants: counts without noise, rows counted twice, counts that pass the end of exact integers.
Deno.test("sampleDecisionTree() takes its labels and tests from noisy counts", () => {
  const options = { ...SURE, attributes: [2], classes: 2, depth: 0 };
  const row = (value: number, label: number): CategoricalRow => ({ values: [value], label });
  const leaf = (data: CategoricalRow[], prepared: SulqNoise): TreeNode =>
    sampleDecisionTree(source, { ...options, data, prepared }).root;
  const two = [row(0, 1), row(0, 1)];
  assertEquals(leaf(two, statedNoise([[1.75, 0]])), { kind: "leaf", label: 1 });
  assertEquals(leaf(two, statedNoise([[2.25, 0]])), { kind: "leaf", label: 0 });
  // At 2⁵¹ steps a unit counts stop at 2: both classes have as many, and the first is taken.
  const capped = [...two, row(0, 1), row(0, 0), row(0, 0)];
  assertEquals(leaf(capped, statedNoise([[0, 0]], 2 ** 51)), { kind: "leaf", label: 0 });
  assertEquals(leaf(capped, statedNoise([[0, 0]], 2 ** 50)), { kind: "leaf", label: 1 });
  // Counts below 0 count as 0: attribute 0 tells the class, attribute 1 does not.
  const told = [0, 1].flatMap((label) =>
    [0, 1].map((other) => ({ values: [label, other], label }))
  );
  const { root } = sampleDecisionTree(source, {
    ...SURE,
    attributes: [2, 2],
    classes: 2,
    depth: 1,
    data: told,
    prepared: statedNoise([[0, 0], [0, -0.5, -0.5, 0], [0, 0, 0, 0]]),
  });
  assertEquals(root.kind === "test" && root.attribute, 0);
});

Deno.test("sampleDecisionTree() divides a node of at least 2√R·classes·values rows, and none of fewer", () => {
  for (const [attributes, classes] of [[[2], 2], [[3], 2], [[2, 4], 2], [[2], 3]] as const) {
    const options = {
      attributes: [...attributes],
      classes,
      depth: 1,
      rho: 0.5,
      relation: addRemoveOne,
    };
    const least = 2 * Math.sqrt(treeCalibration(options).variance) * classes *
      Math.max(...attributes);
    for (const [rows, kind] of [[Math.floor(least), "leaf"], [Math.ceil(least), "test"]] as const) {
      const data = Array.from({ length: rows }, (_, i) => ({
        values: attributes.map((many) => i % many),
        label: i % classes,
      }));
      assertEquals(
        sampleDecisionTree(source, { ...options, data, ...silentNoise() }).root.kind,
        kind,
      );
    }
  }
});
