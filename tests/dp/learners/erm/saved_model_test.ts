import { assertEquals, assertThrows } from "@std/assert";
import { pure } from "../../../../lib/core/mod.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { Model } from "../../../../lib/dp/learners/erm/model.ts";

Deno.test("Model.fromJSON() refuses parts that do not fit together", () => {
  const right = {
    format: "dpcheck-linear-model",
    version: 1,
    statement: "",
    claim: { kind: "pure", epsilon: 1, relation: replaceOne.name },
    classes: [-1, 1],
    weights: [[1, 2]],
    preparation: { normBound: 1, intercept: null, features: null },
    training: {
      loss: "logistic",
      regulariser: "squared-norm",
      lambda: 1,
      perturbation: "objective",
      rowCount: 1,
    },
  };
  const features = {
    kernel: { name: "gaussian", gamma: 1 },
    inputCount: 2,
    count: 2,
    frequencies: [1, 2, 3, 4],
    phases: [0, 1],
  };
  const mapped = { normBound: null, intercept: null, features };
  assertEquals(Model.fromJSON(right).claim, pure({ epsilon: 1, relation: replaceOne }));
  assertEquals(Model.fromJSON({ ...right, weights: [[1]] }).weights.length, 1);
  const three = { ...right, classes: ["a", "b", "c"], weights: [[1], [2], [3]] };
  assertEquals(Model.fromJSON(three).classes, ["a", "b", "c"]);
  assertEquals(Model.fromJSON({ ...right, preparation: mapped }).preparation.features?.count, 2);
  const withIntercept = { ...mapped, intercept: 1 };
  assertEquals(
    Model.fromJSON({ ...right, weights: [[1, 2, 3]], preparation: withIntercept }).weights[0]!
      .length,
    3,
  );
  const approximate = { kind: "approximate", epsilon: 1, delta: 0.25, relation: replaceOne.name };
  const { claim } = Model.fromJSON({ ...right, claim: approximate });
  assertEquals(claim.kind === "approximate" && claim.delta, 0.25);
  const { delta: _, ...without } = approximate;
  const bare = Model.fromJSON({ ...right, claim: without }).claim;
  assertEquals(bare.kind === "pure" || (bare.kind === "approximate" && bare.delta === 0), true);
  const refused: [object, string][] = [
    [{ format: "other" }, "format"],
    [{ version: 2 }, "version"],
    [{ claim: { ...approximate, epsilon: -1 } }, "claim.epsilon"],
    [{ classes: [1] }, "classes"],
    [{ weights: [[]] }, "weights"],
    [{ weights: [] }, "weights"],
    [{ weights: [[1], [2]] }, "one vector for two classes"],
    [{ classes: [1, 2, 3], weights: [[1], [2]] }, "one a class for more"],
    [{ classes: [1, 2, 3], weights: [[1], [2], [3, 4]] }, "equally long"],
    [{ preparation: { ...right.preparation, normBound: null } }, "normBound must be given"],
    [{ preparation: { ...mapped, features: { ...features, phases: [1] } } }, "as they say"],
    [{ preparation: { ...mapped, features: { ...features, frequencies: [1, 2] } } }, "as they say"],
    [{ preparation: withIntercept }, "as they say"],
    [{ preparation: mapped, weights: [[1, 2, 3]] }, "as they say"],
    [{ claim: { ...approximate, delta: 1 } }, "claim.delta"],
    [{ claim: { ...approximate, delta: -0.1 } }, "claim.delta"],
  ];
  for (const [changed, named] of refused) {
    assertThrows(() => Model.fromJSON({ ...right, ...changed }), TypeError, named);
  }
});
