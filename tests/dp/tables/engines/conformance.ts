import { assert, assertEquals } from "@std/assert";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import type { Row } from "../../../../lib/dp/schema/cells.ts";
import { askedOf } from "../../../../lib/dp/tables/ask.ts";
import { foundInMemory } from "../../../../lib/dp/tables/engine/memory.ts";
import type { Found, Plan } from "../../../../lib/dp/tables/engine/plan.ts";
import { Generated, plain, unbounded } from "./generated_plans.ts";

/** An engine that is tried: it answers plans about rows that it is given. */
export interface TriedEngine {
  readonly name: string;
  readonly found: (rows: readonly Row[], plans: readonly Plan[]) => Promise<readonly Found[]>;
}

/** Sums whose parts are beyond what doubles add up exactly. Mutant: they are added up as doubles, as smaller ones are. */
async function checkLargeSums({ found }: TriedEngine): Promise<void> {
  const upper = 2 ** 51 - 1, lower = -upper;
  const plan: Plan = {
    where: [],
    parts: [],
    clipped: { value: { kind: "cell", cell: { column: "x" }, days: false }, lower, upper },
    persons: undefined,
    wanted: {
      kind: "totals",
      measures: [{ steps: { lower, upper, granularity: 1, origin: 0, middle: undefined } }],
    },
  };
  const rows = [upper, lower].flatMap((x, i) =>
    Array.from({ length: 9 - i }, (_, k) => ({ x: x + (1 - 2 * i) * -k }))
  );
  assertEquals(plain((await found(rows, [plan]))[0]!), plain(foundInMemory(plan, rows)));
}

/** Compares an engine with rows in memory: totals are equal, whatever the tables are. */
export async function checkTotals(
  engine: TriedEngine,
  rounds: number,
  seed = engine.name,
): Promise<void> {
  await checkLargeSums(engine);
  const generated = new Generated(new SeededSource(`totals ${seed}`));
  for (let round = 0; round < rounds; round++) {
    const view = unbounded(generated.view({ persons: generated.below(2) === 0 }));
    const rows = round % 10 === 0 ? [] : generated.rows(60);
    const questions = generated.questions(view, generated.keys(view)), key = generated.word();
    const plans = questions.flatMap(({ plans }) => plans(key));
    const found = await engine.found(rows, plans);
    plans.forEach((plan, i) => {
      const wanted = plain(foundInMemory(plan, rows));
      assertEquals(
        plain(found[i]!),
        wanted,
        `round ${round}: ${
          JSON.stringify(plan, (_, value) => value instanceof Map ? [...value] : value)
        }`,
      );
    });
  }
}

/** Compares neighbouring tables with what noise is scaled to: with any key an engine moves no further, and at times as far. */
export async function checkSensitivity(engine: TriedEngine, rounds: number): Promise<void> {
  const generated = new Generated(new SeededSource("neighbouring tables"));
  const shares = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const view = generated.view({ persons: generated.below(3) > 0 }), { schema, bounds } = view;
    const ofPersons = schema.person !== undefined;
    const [left, right] = neighbours(generated, {
      ofPersons,
      person: schema.person,
      isAdded: schema.addRemove,
    });
    const keys = generated.keys(view), key = generated.word();
    for (const what of ["count", "sum", "mean"] as const) {
      const asked = askedOf(view, keys, { what, column: "x", cost: { epsilon: 1 } } as never);
      const plans = asked.plans({ uint32: () => key });
      const noisy = asked.noisy.map(({ mechanism }) => mechanism.grid.sensitivityInSteps);
      const [one, other] = [await engine.found(left, plans), await engine.found(right, plans)];
      one.forEach((found, plan) => {
        const beside = other[plan]!;
        assert(found.kind === "totals" && beside.kind === "totals");
        found.totals.forEach((total, i) => {
          const moved = total.reduce(
            (sum, each, group) => sum + Math.abs(each - beside.totals[i]![group]!),
            0,
          );
          const share = moved / noisy[i]!;
          const name = `${what} ${i} ${ofPersons} ${schema.addRemove}`;
          assert(
            share <= 1 + 1e-12,
            `${name} by ${share}: ${JSON.stringify([bounds, keys.columns, left, right])}`,
          );
          shares.set(name, Math.max(shares.get(name) ?? 0, share));
        });
      });
    }
    await checkUnits(engine, { generated, view, left, right, key });
  }
  // A search that never comes near the sensitivity shows nothing.
  const near = [...shares.values()].filter((share) => share > 0.49).length;
  assert(near > 0.6 * shares.size, JSON.stringify([...shares]));
}

async function checkUnits(
  engine: TriedEngine,
  { generated, view, left, right, key }: {
    readonly generated: Generated;
    readonly view: ReturnType<Generated["view"]>;
    readonly left: readonly Row[];
    readonly right: readonly Row[];
    readonly key: number;
  },
): Promise<void> {
  const { addRemove } = view.schema, { groups } = view.bounds!;
  const asked = generated.questions(view, { columns: [], keys: [[]], parts: [] });
  for (
    const { name, plans } of asked.filter(({ name }) => name === "units" || name === "distinct")
  ) {
    const [one] = await engine.found(left, plans(key)),
      [other] = await engine.found(right, plans(key));
    if (one!.kind === "distinct" && other!.kind === "distinct") {
      assert(Math.abs(one!.count - other!.count) <= 1, name);
    }
    if (one?.kind !== "units" || other?.kind !== "units") continue;
    let up = 0, down = 0;
    for (const text of new Set([...one.units.keys(), ...other.units.keys()])) {
      const change = (other.units.get(text) ?? 0) - (one.units.get(text) ?? 0);
      assert(Math.abs(change) <= 1, name);
      if (change > 0) up++;
      if (change < 0) down++;
    }
    assert(up <= groups && down <= (addRemove ? 0 : groups), `${name}: ${up} ${down}`);
  }
}

function neighbours(
  generated: Generated,
  { ofPersons, person, isAdded }: {
    readonly ofPersons: boolean;
    readonly person: string | undefined;
    readonly isAdded: boolean;
  },
): [Row[], Row[]] {
  const others = generated.rows(12);
  if (!ofPersons) {
    const at = generated.below(others.length + 1), isIn = generated.row();
    const right = others.toSpliced(at, 0, generated.row());
    return [isAdded ? others : others.toSpliced(at, 0, isIn), right];
  }
  const mixed = (rows: readonly Row[], more: readonly Row[]): Row[] => {
    const all = [...rows];
    let at = 0;
    for (const row of more) {
      at += generated.below(all.length - at + 1);
      all.splice(at++, 0, row);
    }
    return all;
  };
  const own = (who: string | number): Row[] =>
    [generated.row(), ...generated.rows(9)].map((row) => ({ ...row, [person!]: who }));
  const [z, y] = person === "id" ? ["z", "y"] : [8, 9];
  const replaced = isAdded ? [] : own(generated.one([z!, y!]));
  return [mixed(others, replaced), mixed(others, own(z!))];
}
