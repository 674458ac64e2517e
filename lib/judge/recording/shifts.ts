import type { Highs, HighsSolution } from "highs";
import loadHighs from "highs";
import type { NoiseVariable } from "./noise_variables.ts";

/** A condition on the shifts of noise: Σ c·shift is `by`, or at least `by`. */
export interface Condition {
  readonly terms: ReadonlyMap<number, number>;
  readonly kind: "equal" | "atLeast";
  readonly by: number;
}

/** The price of a shift that bounded or one-sided noise pays in δ, as a multiple of one that has a bounded loss: those come first. */
const IN_DELTA = 1e3;

/**
 * Returns the cheapest shifts that meet all conditions, by a linear program: least Σ |shift| in units of its scale, where noise of one
 * side moves up. `undefined` where no shifts do. Any shifts that meet the conditions keep what was read, so that those of normal noise,
 * which are not the least in squares, cost no less than the best.
 */
export async function cheapestShifts(
  conditions: readonly Condition[],
  variables: readonly NoiseVariable[],
): Promise<Map<number, number> | undefined> {
  const moved = [...new Set(conditions.flatMap(({ terms }) => [...terms.keys()]))];
  if (moved.length === 0) {
    const areMet = conditions.every(({ kind, by }) => kind === "equal" ? by === 0 : by <= 0);
    return areMet ? new Map() : undefined;
  }
  const program = programOf(conditions, { moved, variables });
  const solution = await leastOf(program);
  if (solution === undefined) return undefined;
  return new Map(moved.map((variable) => {
    const { [`u${variable}`]: up = 0, [`d${variable}`]: down = 0 } = solution;
    return [variable, up - down];
  }));
}

/** Returns the values of the variables of a linear program, in the LP format of CPLEX, where it is least; `undefined` where nothing meets it. */
export async function leastOf(
  program: string,
): Promise<Readonly<Record<string, number>> | undefined> {
  let solution = solved.get(program);
  if (solution === undefined) {
    solution = (await solver()).solve(program, { output_flag: false });
    if (solved.size >= MOST_SOLVED) solved.clear();
    solved.set(program, solution);
  }
  if (solution.Status !== "Optimal") return undefined;
  const columns = solution.Columns as Record<string, { readonly Primal: number }>;
  return Object.fromEntries(Object.entries(columns).map(([name, { Primal }]) => [name, Primal]));
}

/** Programs that were solved: other noise often asks for the same shifts, and the solver takes milliseconds. */
const solved = new Map<string, HighsSolution>();
const MOST_SOLVED = 2000;

let loaded: Promise<Highs> | undefined;

function solver(): Promise<Highs> {
  // The package's types take its module for the function that the module is.
  loaded ??= (loadHighs as unknown as () => Promise<Highs>)();
  return loaded;
}

/** Returns the program in the LP format of CPLEX: u and d are by how much a variable moves up and down. */
function programOf(
  conditions: readonly Condition[],
  { moved, variables }: {
    readonly moved: readonly number[];
    readonly variables: readonly NoiseVariable[];
  },
): string {
  const lines = ["Minimize", " obj:"];
  for (const variable of moved) {
    const { law } = variables[variable]!;
    const isBounded = law === "uniform";
    const isOneSided = law === "exponential" || law === "geometric";
    lines.push(`+ ${isBounded ? IN_DELTA : 1} u${variable}`);
    lines.push(`+ ${isBounded || isOneSided ? IN_DELTA : 1} d${variable}`);
  }
  lines.push("Subject To");
  conditions.forEach(({ terms, kind, by }, row) => {
    lines.push(` r${row}:`);
    for (const [variable, c] of terms) {
      lines.push(`${signed(c)} u${variable} ${signed(-c)} d${variable}`);
    }
    lines.push(` ${kind === "equal" ? "=" : ">="} ${by}`);
  });
  lines.push("End", "");
  return lines.join("\n");
}

function signed(c: number): string {
  return c < 0 ? `- ${-c}` : `+ ${c}`;
}
