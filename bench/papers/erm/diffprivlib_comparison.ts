import { prepareRows } from "../../../lib/dp/learners/erm/rows/prepare_rows.ts";
import { sampleModel } from "../../../lib/dp/learners/erm/sample_model.ts";
import { suggestedLambda } from "../../../lib/dp/learners/erm/suggested_lambda.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { type Estimate, estimate, type Labelled } from "./cross_validate.ts";
import { loadAdult } from "./load_data.ts";
import { denseCopy } from "./dense_copy.ts";

/** One line of the comparison: all 104 columns, logistic loss, no intercept unless by default. */
export interface ComparisonLine {
  readonly epsilon: number;
  /** "suggested", or "former": 2√(d(d + 1))/(nεW) at W = 10; "defaults" are diffprivlib's. */
  readonly setting: "suggested" | "former" | "defaults";
  readonly lambda?: number;
  readonly ours?: Estimate;
  /** Absent where diffprivlib is not to be had. */
  readonly theirs?: Estimate;
}

interface Answer {
  readonly version?: string;
  readonly missing?: string;
  readonly errors?: number[][];
}

/** Ours beside diffprivlib's on Adult: the same columns, rows clipped to norm 1, and the same Λ. */
export async function compareDiffprivlib(
  data: string,
  { seeds, python, directory }: { seeds: number; python: string; directory: string },
): Promise<{ version: string; lines: ComparisonLine[] }> {
  const [train, test] = await Promise.all(
    (["train", "test"] as const).map((part) => loadAdult(data, { part })),
  );
  const clipped = (part: Labelled): Labelled => ({
    rows: prepareRows(part.rows, { normBound: 1 }),
    signs: part.signs,
  });
  const parts = { train: clipped(train!), test: clipped(test!) };
  const { rowCount, columnCount: d } = parts.train.rows;
  const trials = [0.1, 0.2, 0.5, 1, 2].flatMap((epsilon) => [
    {
      epsilon,
      setting: "suggested" as const,
      lambda: suggestedLambda({ epsilon, rowCount, columnCount: d, normBound: 1 }),
    },
    {
      epsilon,
      setting: "former" as const,
      lambda: 2 * Math.sqrt(d * (d + 1)) / (rowCount * epsilon * 10),
    },
    { epsilon, setting: "defaults" as const, lambda: undefined },
  ]);
  const answer = await askPython(parts, { trials, seeds, python, directory });
  const lines = trials.map(({ epsilon, setting, lambda }, k) => {
    const theirs = answer.errors?.[k];
    return {
      epsilon,
      setting,
      ...(lambda === undefined ? {} : {
        lambda,
        ours: estimate(Array.from({ length: seeds }, (_, seed) => {
          const source = new SeededSource(seed).split("diffprivlib comparison");
          const { rows, signs } = parts.train;
          const model = sampleModel(source, { epsilon, lambda, normBound: 1, rows, labels: signs });
          return 1 - model.score(parts.test.rows, parts.test.signs);
        })),
      }),
      ...(theirs === undefined ? {} : { theirs: estimate(theirs) }),
    };
  });
  return { version: answer.version ?? `missing: ${answer.missing}`, lines };
}

async function askPython(
  { train, test }: { train: Labelled; test: Labelled },
  { trials, seeds, python, directory }: {
    trials: readonly { epsilon: number; lambda: number | undefined }[];
    seeds: number;
    python: string;
    directory: string;
  },
): Promise<Answer> {
  const { columnCount } = train.rows;
  const counts = [train.rows.rowCount, test.rows.rowCount] as const, total = counts[0] + counts[1];
  const block = new Float64Array(total * (columnCount + 1));
  block.set(denseCopy(train.rows).values);
  block.set(denseCopy(test.rows).values, counts[0] * columnCount);
  block.set(train.signs, total * columnCount);
  block.set(test.signs, total * columnCount + counts[0]);
  const file = `${directory}/adult.f64`;
  await Deno.writeFile(file, new Uint8Array(block.buffer));
  const script = new URL("diffprivlib_errors.py", import.meta.url).pathname;
  const asked = trials.map(({ epsilon, lambda = null }) => ({ epsilon, lambda }));
  try {
    const { success, stdout } = await new Deno.Command(python, {
      args: [script, file, ...[...counts, columnCount, seeds].map(String), JSON.stringify(asked)],
      env: { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
      stderr: "inherit",
    }).output();
    return success ? JSON.parse(new TextDecoder().decode(stdout)) : { missing: "it failed" };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  } finally {
    await Deno.remove(file);
  }
}
