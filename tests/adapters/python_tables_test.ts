import { assertEquals } from "@std/assert";
import { withFolder } from "../end_to_end/run_cli.ts";
import { hasProgram } from "../has_program.ts";
import { root } from "./served.ts";

const PROGRAM = `
import json, sys
from dpcheck.tables import Refused, draft_schema, table

def refused(act, *says):
    try:
        act()
    except Refused as error:
        assert all(word in str(error) for word in says), str(error)
    else:
        raise AssertionError("was not refused: %s" % (says,))

names = dict(number={"age": "0..120:1"}, category={"region": ["north", "east", "south"]}, person="id", epsilon=1)
refused(lambda: draft_schema("rows.csv", number={"agee": "0..120"}), "did you mean age?")
refused(lambda: draft_schema("absent.csv"), "absent.csv cannot be read")
schema = draft_schema("rows.csv", **names)
refused(lambda: table([{"age": 3}], schema=schema, ledger="budget.jsonl"), "pandas.DataFrame")
refused(lambda: table("rows.csv", schema=None, ledger="budget.jsonl"), "draft_schema")
survey = table("rows.csv", schema=schema, ledger="budget.jsonl")
refused(lambda: survey.budget(), "budget.jsonl is not there")
refused(lambda: survey.ask("mean agee", epsilon=0.3), "did you mean age?")
refused(lambda: survey.ask("mean age"), "--epsilon")
try:
    survey.mean("age")
except AttributeError as error:
    assert "ask in words" in str(error), error
refused(lambda: survey.ask(["count by region", "mean agee"], epsilon=0.3), "did you mean age?")
counts, median = survey.ask(["count by region", {"what": "median", "column": "age"}], epsilon=0.3)
assert [row["region"] for row in counts.rows] == ["north", "east", "south"]
assert all(abs(row["value"] - 1000) < 200 and row["lower"] <= row["value"] <= row["upper"] for row in counts.rows), counts.rows
assert median.interval[0] <= median.value <= median.interval[1] and abs(median.value - 44) < 10
assert counts._repr_svg_().startswith("<svg") and "north" in counts._repr_svg_() and "median age" in median._repr_svg_()
assert "All 4 intervals of 2 answers hold at once" in str(counts) and "north" in str(counts)
refused(lambda: counts.value, "rows")
refused(lambda: survey.ask("count", epsilon=0.5), "what is left", "0.4-DP")
counts.save("chart.svg")
# The next day.
mean = table("rows.csv", schema=schema, ledger="budget.jsonl").ask("mean age by region where age >= 30", epsilon=0.4)
assert mean.columns == ["region"] and mean.claim["epsilon"] == 0.4
budget = survey.budget()
assert [(each["for"], each["epsilon"]) for each in budget.spent] == [("count by region", 0.3), ("median age", 0.3), ("mean age by region where age >= 30", 0.4)], budget.spent
assert budget.left["epsilon"] == 0 and "median age" in str(budget)
`;

const FRAMES = `
import os, pandas, tempfile
from dpcheck.tables import draft_schema, table
frame = pandas.read_csv("rows.csv")
frame.index = frame.index + 7
schema = draft_schema(frame, number={"age": "0..120:1"}, category={"region": ["north", "east", "south"]}, epsilon=20)
asked = table(frame.drop(columns="id"), schema={**schema, "columns": {name: schema["columns"][name] for name in ("age", "region")}}, ledger="frames.jsonl")
counts = asked.ask("count by region", epsilon=20).to_frame()
assert list(counts.columns) == ["region", "value", "lower", "upper"] and all(abs(counts["value"] - 1000) < 5), counts
assert not [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("dpcheck-")]
`;

const ROWS = Array.from(
  { length: 3000 },
  (_, i) => `${i},${20 + i % 50},${["north", "east", "south"][i % 3]}`,
);

async function runs(python: string, program: string): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/rows.csv`, ["id,age,region", ...ROWS].join("\n"));
    await Deno.mkdir(`${folder}/temporary`);
    const { success, stderr } = await new Deno.Command(python, {
      args: ["-B", "-c", program],
      cwd: folder,
      env: {
        DPCHECK:
          `${Deno.execPath()} run --quiet --no-check -A --config ${root}deno.json ${root}cli/main.ts`,
        PYTHONPATH: `${root}adapters/python`,
        NO_COLOR: "1",
        TMPDIR: `${folder}/temporary`,
      },
    }).output();
    assertEquals([success, new TextDecoder().decode(stderr)], [true, ""]);
  });
}

const about = "private questions from Python";

Deno.test({
  name:
    "dpcheck.tables of Python asks, charts and pays off one ledger, and refuses with what to do",
  ignore: !await hasProgram(["python3", "-c", "import json"], about),
  fn: () => runs("python3", PROGRAM),
});

/** A Python that has pandas: another than the first may. */
async function pythonWithPandas(): Promise<string | undefined> {
  for (const python of ["/usr/bin/python3", "python3"]) {
    const tried = new Deno.Command(python, { args: ["-c", "import pandas"], stderr: "null" });
    if (await tried.output().then(({ success }) => success, () => false)) return python;
  }
  await hasProgram(["python3", "-c", "import pandas"], `${about}, of frames`);
  return undefined;
}

const withPandas = await pythonWithPandas();

Deno.test({
  name:
    "dpcheck.tables of Python asks of a pandas frame, whose index is left out and whose file does not stay",
  ignore: withPandas === undefined,
  fn: () => runs(withPandas!, FRAMES),
});
