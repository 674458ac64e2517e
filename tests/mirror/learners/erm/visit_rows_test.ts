import { assertEquals } from "@std/assert";
import { logisticLoss } from "../../../../lib/learners/erm/logistic_loss.ts";
import { RowFile } from "../../../../lib/learners/erm/row_file.ts";
import { denseRows, sparseRows } from "../../../../lib/learners/erm/rows.ts";
import { visitFactors, visitMargins } from "../../../../lib/learners/erm/visit_rows.ts";

// Mutant: the margins of a longer block behind those of a shorter one.
Deno.test("visits of blocks hand over as many margins and factors as a block has rows", () => {
  const file = new RowFile({ columnCount: 3, classCount: 2 });
  try {
    file.append(denseRows([[1, 0, 1], [2, 1, 1], [3, 1, 0]]), [1, 0, 1]);
    const four = { columns: Int32Array.of(0), values: Float64Array.of(4) };
    file.append(sparseRows({ columnCount: 3, offsets: Int32Array.of(0, 1), ...four }), [0]);
    const problem = {
      rows: file.rows(),
      signs: { indices: file.labels().indices, positive: 1 },
      loss: logisticLoss,
    };
    const weights = Float64Array.of(0.5, 0, 0), found: number[][] = [];
    visitMargins(problem, { weights, margins: new Float64Array(3) }, (_, __, margins) => {
      found.push([...margins]);
    });
    assertEquals(found, [[0.5, -1, 1.5], [-2]]);
    found.length = 0;
    visitFactors(problem, { weights, factors: new Float64Array(3) }, (_, __, factors) => {
      found.push([...factors]);
    });
    assertEquals(
      found,
      [[0.5, -1, 1.5], [-2]].map((block) => block.map((m) => logisticLoss.curvature(m) / 4)),
    );
  } finally {
    file.close();
  }
});
