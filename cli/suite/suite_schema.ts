import { tableFileSchema } from "../../lib/dp/schema/table_file.ts";
import { z } from "zod";

const positive = z.number().positive();
const count = z.int().positive();

/** One audit of a suite: the options of `dpcheck audit` by their names, and what the suite needs to know. */
export const suiteEntry = z.strictObject({
  name: z.string().min(1).describe("what reports call this audit; each name stands once"),
  mechanism: z.string().optional().describe("a mechanism that dpcheck ships"),
  module: z.string().optional().describe("FILE[#EXPORT]: a mechanism or a function"),
  exec: z.string().optional().describe("a program that speaks the subject protocol"),
  url: z.string().optional().describe("an HTTP endpoint that answers requests of the protocol"),
  fd: z.int().optional().describe("with exec: the descriptor of answers"),
  samples: z.tuple([z.string(), z.string()]).optional().describe("recorded outputs: two files"),
  files: z.array(z.string()).optional().describe("further files that the subject is made of"),
  independent: z.boolean().optional().describe("with exec or url: outputs are independent"),
  epsilon: positive.optional().describe("ε-DP, in nats"),
  delta: z.number().min(0).lt(1).optional().describe("with epsilon: (ε, δ)-DP"),
  order: z.number().gt(1).optional().describe("with epsilon: Rényi DP of this order"),
  rho: positive.optional().describe("ρ-zero-concentrated DP"),
  mu: positive.optional().describe("μ-Gaussian DP"),
  left: z.json().optional().describe("one dataset, with right"),
  right: z.json().optional().describe("its neighbour"),
  rows: z.json().optional().describe("rows of the datasets that are searched"),
  withRows: z.array(z.json()).optional().describe("public rows before every dataset"),
  require: z.array(z.string()).optional().describe("rules that every dataset keeps"),
  size: z.string().optional().describe("with rows: A..B rows, or A"),
  relation: z.string().optional().describe("replace-one or add-remove-one"),
  except: z.array(z.string()).optional().describe("events that are left out"),
  bits: z.boolean().optional().describe("look at the bits of doubles too"),
  oneAtATime: z.boolean().optional()
    .describe("one output a request, and the next one after its answer"),
  maxDraws: count.optional().describe("make so many draws"),
  maxSeconds: positive.optional().describe("cut the audit after so many seconds"),
  timeout: positive.optional().describe("longest wait for an answer, in seconds"),
  requirePower: z.number().gt(1).optional().describe("as --require-power of an audit"),
  fullBudget: z.boolean().optional()
    .describe(
      "spend the whole budget for the best bound; drawn in shards, through the queue of the suite",
    ),
  workers: count.optional().describe("copies of the subject that draw at the same time"),
  expect: z.enum(["not-refuted", "refuted"]).optional()
    .describe("the verdict that is right (default: not-refuted)"),
  share: positive.optional().describe("share of α, relative to the others (default: 1)"),
});

/** A suite file. */
export const suiteFile = z.strictObject({
  $schema: z.string().optional().describe("where this schema is, for editors"),
  alpha: z.number().gt(0).lt(1).optional().describe("error over the whole suite (default: 0.01)"),
  error: z.enum(["family-wise", "false-discovery-rate"]).optional()
    .describe("what alpha bounds (default: family-wise)"),
  audits: z.array(suiteEntry).min(1).describe("the audits"),
});

/** One audit of a suite. */
export type SuiteEntry = z.infer<typeof suiteEntry>;
/** A suite. */
export type Suite = z.infer<typeof suiteFile>;

/** The JSON Schema of suite files, as text. */
export function suiteSchemaText(): string {
  return JSON.stringify(z.toJSONSchema(suiteFile), null, 2) + "\n";
}

/** The form of schemas of tables as JSON Schema, for editors: docs/table.schema.json. */
export function tableSchemaText(): string {
  return JSON.stringify(z.toJSONSchema(tableFileSchema), null, 2) + "\n";
}
