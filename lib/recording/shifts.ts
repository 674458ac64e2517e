import type { Highs } from "highs";
import loadHighs from "highs";
import type { Atom } from "./recording.ts";

/** A condition on the shifts of noise atoms: Σ c·shift is `by`, or at least `by`. */
export interface Condition {
  readonly terms: ReadonlyMap<number, number>;
  readonly kind: "equal" | "atLeast";
  readonly by: number;
}

/** The price of a shift that bounded or one-sided noise pays in δ, as a multiple of one that has a bounded loss: those come first. */
const IN_DELTA = 1e3;

/**
 * The cheapest shifts that meet all conditions, by a linear program: least Σ |shift| in units of each atom's scale, where noise of one
 * side moves up. `undefined` where no shifts do. Any shifts that meet the conditions keep what was read, so that those of normal noise,
 * which are not the least in squares, cost no less than the best.
 */
export async function cheapestShifts(
  conditions: readonly Condition[],
  atoms: readonly Atom[],
): Promise<Map<number, number> | undefined> {
  const moved = [...new Set(conditions.flatMap(({ terms }) => [...terms.keys()]))];
  if (moved.length === 0) {
    const areMet = conditions.every(({ kind, by }) => kind === "equal" ? by === 0 : by <= 0);
    return areMet ? new Map() : undefined;
  }
  const solution = (await solver()).solve(programOf(conditions, { moved, atoms }), {
    output_flag: false,
  });
  if (solution.Status !== "Optimal") return undefined;
  return new Map(moved.map((atom) => {
    const { [`u${atom}`]: up, [`d${atom}`]: down } = solution.Columns as Record<
      string,
      { Primal: number }
    >;
    return [atom, (up?.Primal ?? 0) - (down?.Primal ?? 0)];
  }));
}

let loaded: Promise<Highs> | undefined;

function solver(): Promise<Highs> {
  // The package's types take its module for the function that the module is.
  loaded ??= (loadHighs as unknown as () => Promise<Highs>)();
  return loaded;
}

/** The program in the LP format of CPLEX: u and d are by how much an atom moves up and down. */
function programOf(
  conditions: readonly Condition[],
  { moved, atoms }: { readonly moved: readonly number[]; readonly atoms: readonly Atom[] },
): string {
  const lines = ["Minimize", " obj:"];
  for (const atom of moved) {
    const { law } = atoms[atom]!;
    const isBounded = law === "uniform";
    const isOneSided = law === "exponential" || law === "geometric";
    lines.push(`+ ${isBounded ? IN_DELTA : 1} u${atom}`);
    lines.push(`+ ${isBounded || isOneSided ? IN_DELTA : 1} d${atom}`);
  }
  lines.push("Subject To");
  conditions.forEach(({ terms, kind, by }, row) => {
    lines.push(` r${row}:`);
    for (const [atom, c] of terms) {
      lines.push(`${signed(c)} u${atom} ${signed(-c)} d${atom}`);
    }
    lines.push(` ${kind === "equal" ? "=" : ">="} ${by}`);
  });
  lines.push("End", "");
  return lines.join("\n");
}

function signed(c: number): string {
  return c < 0 ? `- ${-c}` : `+ ${c}`;
}
