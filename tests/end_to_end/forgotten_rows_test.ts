import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runHere, withFolder } from "./run_cli.ts";

const python = await hasProgram(["python3", "--version"], "programs that forget rows");

const PROGRAM = `
import json, random, sys

print(json.dumps({"dpcheck": 1, "order": True}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    outputs, errors = [], {}
    for place, side in enumerate(request["order"]):
        try:
            total = sum(min(1.0, max(0.0, x)) if x == x else x for x in request["datasets"][side])
            outputs.append(total + random.expovariate(1) - random.expovariate(1))
        except TypeError as error:
            outputs.append(None)
            errors[str(place)] = str(error)
    print(json.dumps({"id": request["id"], "outputs": outputs, "errors": errors}), flush=True)
`;
import { hasProgram } from "../has_program.ts";
import { dailyOf } from "../long.ts";

/** Words of a row that name what programs forget, and how JSON has it. */
const FORGOTTEN = [["nan", "NaN"], ["missing", "null"]] as const;

// Mutants: NaN is sent as null; a replay that searches again; --left that refuses NaN.
Deno.test({
  name: "dpcheck audit sends a program NaN and null, and dpcheck verify confirms it on the pair",
  ignore: !python,
  fn: () =>
    withFolder(async (folder) => {
      const file = `${folder}/sum.py`, json = `${folder}/r.json`;
      await Deno.writeTextFile(file, PROGRAM);
      const audit = (rows: string, maxDraws: number): string[] => [
        ...["audit", "--exec", `python3 ${file}`, "--epsilon", "1", "--relation", "replace-one"],
        ...[
          "--size",
          "1..3",
          "--max-draws",
          String(maxDraws),
          "--seed",
          "3",
          "--no-shrink",
          "--rows",
          rows,
          "--json",
          json,
        ],
      ];
      const plain = '{"type":"number","min":0,"max":1';
      assertEquals((await runHere(audit(`${plain}}`, 2000))).code, 0);
      for (const [flag, value] of dailyOf(FORGOTTEN, ([flag]) => flag === "nan")) {
        const { code, stdout } = await runHere(audit(`${plain},"${flag}":true}`, 20_000));
        assertEquals(code, 1, stdout);
        const { replayArguments: words, pair } = JSON.parse(await Deno.readTextFile(json));
        assert([...pair.left, ...pair.right].includes(flag === "nan" ? "NaN" : null));
        const sides = words[words.indexOf("--left") + 1] + words[words.indexOf("--right") + 1];
        assertStringIncludes(sides, value);
        assertStringIncludes(stdout, value);
        const verified = await runHere(["verify", json, "--max-draws", "4000"]);
        assertEquals(verified.code, 1, verified.stderr);
        assertStringIncludes(verified.stdout, "Confirmed on fresh draws");
      }
    }),
});
