import { assertEquals } from "@std/assert";
import { addRemoveOne } from "../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import type { Row } from "../../../../lib/dp/schema/cells.ts";
import { askedOf } from "../../../../lib/dp/tables/ask.ts";
import { foundInMemory } from "../../../../lib/dp/tables/engine/memory.ts";
import type { Engine } from "../../../../lib/dp/tables/engine/plan.ts";
import { parseCondition } from "../../../../lib/dp/tables/expression.ts";
import { combinedKeys } from "../../../../lib/dp/tables/keys.ts";
import { checkSchema } from "../../../../lib/dp/tables/schema.ts";
import { Generated, plain } from "./generated_plans.ts";

/** Names that end a quotation, or are names of what queries compute. */
const NAMES = [
  ...[
    '"; DROP TABLE "rows"; --',
    "'; DROP TABLE rows; --",
    "\\",
    "\\'",
    '\\"',
    "`",
    "``;",
    "$1",
    "?",
  ],
  ...[
    "/*",
    "*/",
    "--",
    ";",
    "dp_x0",
    "DP_K1",
    "dp__i2",
    "g",
    "v",
    "i",
    "q0",
    "m0",
    "keys0",
    "k",
    "p",
  ],
  ...["select", "a b", "é", "e\u0301", "{x:String}", "%s", "a\nb", "o", "l", "r", "t", "n", "d"],
];

/** Makes a table of a text that names a person, a text and a number. */
export interface NamedTable {
  readonly name: string;
  readonly columns: readonly [person: string, text: string, number: string];
  readonly rows: readonly Row[];
}

/** Names, keys and cells that are statements are names, keys and cells. */
export async function checkHostileNames(
  engine: { readonly name: string; readonly open: (table: NamedTable) => Promise<Engine> },
  rounds: number,
): Promise<void> {
  const generated = new Generated(new SeededSource("hostile names"));
  for (let round = 0; round < rounds; round++) {
    const names = new Map<string, string>();
    while (names.size < 4) {
      const name = generated.one(NAMES);
      names.set(name.toLowerCase(), name);
    }
    const [person, text, number, name] = [...names.values()] as [string, string, string, string];
    const rows = Array.from({ length: 30 }, () => ({
      [person]: generated.one(NAMES),
      [text]: generated.one(NAMES),
      [number]: generated.below(10) / 4,
    }));
    const values = NAMES.filter(() => generated.below(3) > 0);
    const schema = checkSchema({
      columns: {
        [text]: { type: "category", values },
        [number]: { type: "number", lower: 0, upper: 2 },
      },
      unit: { person },
      relation: addRemoveOne,
      budget: { epsilon: 1 },
    });
    const quoted = `"${text.replaceAll('"', '""')}" != '${values[0]!.replaceAll("'", "''")}'`;
    const view = {
      schema,
      bounds: { groups: 99, rows: 99 },
      where: [parseCondition("test", schema, quoted)],
    };
    const asked = askedOf(view, combinedKeys(schema, [text], {}), {
      what: "sum",
      column: number,
      cost: { epsilon: 1 },
    });
    const plans = asked.plans({ uint32: () => 7 });
    const opened = await engine.open({ name, columns: [person, text, number], rows });
    const [found] = await opened.run(plans);
    assertEquals(plain(found!), plain(foundInMemory(plans[0]!, rows)), JSON.stringify([...names]));
  }
}
