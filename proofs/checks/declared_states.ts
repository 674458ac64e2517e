import type { DiscreteSource } from "../../lib/core/discrete_source.ts";
import { GivenUp, type OutputLaw } from "../../lib/exact/enumeration/enumerate_outputs.ts";
import { NotEnumerable } from "../../lib/exact/enumeration/branching_source.ts";
import { OtherScale } from "../../lib/exact/enumeration/law_outcomes.ts";
import { rational } from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { Broken, requireEqual, requireRefused, requireThat } from "../engine/requirement.ts";
import { BITS, exponential, ONE, ROOM } from "./generated_programs.ts";
import { BITS as BOUND_BITS, type lawOf } from "./path_cases.ts";

/** What runs a program on all paths, or something in its place. */
export type LawOf = typeof lawOf;

/** A draw with few values, and their chances in units of 2^−400. */
interface Draw {
  readonly from: (source: DiscreteSource) => number;
  readonly chances: readonly bigint[];
}

/** Steps from state to state: of each, draws by the state, and the next state, or the output, by state and number. */
interface Machine {
  readonly draws: readonly (readonly Draw[])[];
  readonly next: readonly (readonly (readonly number[])[])[];
}

const STATES = 3;

function generatedDraw(source: SeededSource): Draw {
  const size = 1 + source.uint32() % 4;
  if (source.uint32() % 2 === 0) {
    return {
      from: (draws) => draws.integer({ below: size }),
      chances: new Array<bigint>(size).fill(ONE / BigInt(size)),
    };
  }
  const exponents = Array.from({ length: size }, () => rational(BigInt(source.uint32() % 9), 4n));
  const weights = exponents.map(({ numerator, denominator }) =>
    exponential(-numerator, denominator)
  );
  const total = weights.reduce((a, b) => a + b);
  return {
    from: (draws) => draws.choice({ exponents }),
    chances: weights.map((weight) => (weight << BITS) / total),
  };
}

function generatedMachine(source: SeededSource, steps: number): Machine {
  const draws = Array.from(
    { length: steps },
    () => Array.from({ length: STATES }, () => generatedDraw(source)),
  );
  return {
    draws,
    next: draws.map((row) => row.map(({ chances }) => chances.map(() => source.uint32() % STATES))),
  };
}

function runMachine(
  { draws, next }: Machine,
  merging: boolean,
): (source: DiscreteSource) => number {
  return (source) => {
    let state = 0;
    for (const [step, row] of draws.entries()) {
      if (merging && step > 0) source.merge([step, state]);
      state = next[step]![state]![row[state]!.from(source)]!;
    }
    return state;
  };
}

/** The chances of the outputs, step by step. */
function chancesOf({ draws, next }: Machine): bigint[] {
  let chances = [ONE, 0n, 0n];
  for (const [step, row] of draws.entries()) {
    const after = new Array<bigint>(STATES).fill(0n);
    chances.forEach((chance, state) =>
      row[state]!.chances.forEach((each, value) => {
        after[next[step]![state]![value]!]! += chance * each >> BITS;
      })
    );
    chances = after;
  }
  return chances;
}

function endOf(run: () => OutputLaw): OutputLaw | Error {
  try {
    return run();
  } catch (error) {
    return error as Error;
  }
}

/** Programs that declare their states have the laws that their states say, in few runs. */
export function requireMachines(lawOf: LawOf, source: SeededSource): void {
  const unit = BITS - BigInt(BOUND_BITS);
  let spared = 0;
  for (let k = 0; k < 40; k++) {
    const machine = generatedMachine(source, 2 + k % 3), expected = chancesOf(machine);
    const found = endOf(() => lawOf(runMachine(machine, true)));
    if (found instanceof Error) throw new Broken(`machine ${k}: ${found.message}`);
    requireThat(found.complete, "not all paths were run");
    let total = 0n;
    expected.forEach((chance, output) => {
      const lower = found.outputs.get(`${output}`)?.lower ?? 0n;
      total += lower;
      requireThat(
        lower << unit <= chance + ROOM && chance - (lower << unit) < 1n << unit + 8n,
        () => `machine ${k}: output ${output}`,
      );
      requireEqual(found.outputs.has(`${output}`), chance > 0n, `machine ${k}: output ${output}`);
    });
    requireEqual(found.remainder, (1n << BigInt(BOUND_BITS)) - total, "what is left of 1");
    const plain = lawOf(runMachine(machine, false));
    requireEqual(plain.outputs.size, found.outputs.size);
    if (plain.branches > found.branches) spared++;
  }
  requireThat(spared > 5, "declared states spare no runs");
}

/** A state that forgets one bit, on which one of many paths after it depends, is refused; one that does not is taken. */
export function requireMemory(lawOf: LawOf, source: SeededSource): void {
  for (let k = 0; k < 60; k++) {
    const paths = 2 + k % 7, outputs = 2 + k % 3;
    const table = Array.from({ length: paths }, () => source.uint32() % outputs);
    const place = source.uint32() % paths, later = k % 2 === 0;
    const other = table.with(place, (table[place]! + 1) % outputs);
    const program = (of: readonly (readonly number[])[]) => (draws: DiscreteSource): unknown => {
      const bit = draws.integer({ below: 2 });
      draws.merge("declared");
      const output = of[bit]![draws.integer({ below: paths })]!;
      // What differs is a state in its turn, or an output.
      if (later) draws.merge(["next", output]);
      return draws.integer({ below: 2 }) * 10 + output;
    };
    requireThat(
      lawOf(program([table, table])).complete,
      `memory ${k}: a state that forgets nothing`,
    );
    requireRefused(
      `memory ${k}: a state that forgets`,
      () => lawOf(program([table, other])),
      "after merge()",
    );
  }
}

/** What ends a run ends it, whatever the program does with the error. */
export function requireEnds(lawOf: LawOf): void {
  const afterwards: Record<string, (source: DiscreteSource) => unknown> = {
    "returns": () => "caught",
    "throws": () => {
      throw new Error("caught");
    },
    "draws": (source) => ["caught", source.integer({ below: 2 })],
    "declares a state": (source) => {
      source.merge("caught");
      return "caught";
    },
    "draws until it may": (source) => {
      for (let i = 0; i < 9; i++) {
        try {
          source.merge(["caught", i]);
          return ["caught", source.integer({ below: 2 })];
        } catch {
          // Once more.
        }
      }
      return "caught";
    },
  };
  const caught = (
    draw: (source: DiscreteSource) => unknown,
    after: (source: DiscreteSource) => unknown,
  ) =>
  (source: DiscreteSource): unknown => {
    try {
      return draw(source);
    } catch {
      return after(source);
    }
  };
  for (const [name, after] of Object.entries(afterwards)) {
    for (
      const [draw, words] of [
        [
          (source: DiscreteSource) => (source as unknown as { uniform(): number }).uniform(),
          "uniform()",
        ],
        [
          (source: DiscreteSource) => (source as unknown as { uint32(): number }).uint32(),
          "uint32()",
        ],
        [
          (source: DiscreteSource) =>
            (source as unknown as { fillUint32(of: Uint32Array): void }).fillUint32(
              new Uint32Array(2),
            ),
          "fillUint32()",
        ],
        [(source: DiscreteSource) => source.integer({ below: 2 ** 24 + 1 }), "at most 16777216"],
      ] as const
    ) {
      const end = endOf(() => lawOf(caught(draw, after)));
      requireThat(
        end instanceof NotEnumerable && end.message.includes(words),
        `${words}, after which a program ${name}, ends in ${end}`,
      );
    }
    const infinite = endOf(() => lawOf(caught((source) => source.geometric({ rate: 1 }), after)));
    requireThat(
      infinite instanceof GivenUp && infinite.reason === "infinite",
      `a draw without end, after which a program ${name}, ends in ${infinite}`,
    );
    const scale = endOf(() =>
      lawOf(caught((source) => source.choice({ exponents: [0, rational(1, 7)] }), after))
    );
    requireThat(
      scale instanceof OtherScale && scale.denominator === 7n,
      `an exponent of another scale, after which a program ${name}, ends in ${scale}`,
    );
    // Of the second draw what is rare is cut.
    const law = lawOf((source) => {
      const first = source.geometric({ rate: 1 });
      return [first, caught((draws) => draws.geometric({ rate: 1 }), after)(source)];
    }, { cut: 0.01 });
    requireThat(law.outputs.size > 5, "too much is cut");
    requireThat(
      ![...law.outputs.keys()].some((key) => key.includes("caught")),
      `a run that was cut, after which a program ${name}, has an output`,
    );
  }
}
