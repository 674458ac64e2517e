import type { Claim } from "../core/claim.ts";
import type { ForcedOutput, OutputLaw } from "./forced_paths.ts";
import { parameterOfLaws } from "./loss_of_outputs.ts";
import type { ForcedDraw, Place } from "./recording.ts";

/** What the laws of the outputs on two datasets show: exact, as far as all that a program draws is watched. */
export interface AllOutcomes {
  /** The least parameter of the claim that this pair keeps: ε, ρ or μ. */
  readonly parameter: number;
  /** The output that tells most, and how likely it is on the left and on the right. */
  readonly output: Pick<ForcedOutput, "output" | "error">;
  readonly chances: readonly [number, number];
  /** How many ways the draws can go, on the left and on the right. */
  readonly paths: readonly [number, number];
  /** The draw that tells them apart; the last one before the output where none does. */
  readonly place: Place;
}

/** Compares the laws of the outputs on the left and on the right dataset. */
export function compareLaws(left: OutputLaw, right: OutputLaw, claim: Claim): AllOutcomes {
  const keys = [...new Set([...left.outputs.keys(), ...right.outputs.keys()])];
  const chances = keys.map((key) => {
    const [p, q] = [left, right].map(({ outputs }) => outputs.get(key)?.chance ?? 0);
    return isRounding(p!, q!) ? [p!, p!] as const : [p!, q!] as const;
  });
  const laws = {
    left: chances.map(([p]) => Math.log(p)),
    right: chances.map(([, q]) => Math.log(q)),
  };
  const tells = ([p, q]: readonly [number, number]): number =>
    claim.kind === "pure" ? p === q ? 0 : Math.abs(Math.log(p / q)) : Math.abs(p - q);
  const most = chances.reduce((best, own, k) => tells(own) > tells(chances[best]!) ? k : best, 0);
  const [one, other] = [left, right].map(({ outputs }) => outputs.get(keys[most]!));
  return {
    parameter: parameterOfLaws(laws, claim),
    output: (one ?? other)!,
    chances: chances[most]!,
    paths: [left.paths, right.paths],
    place: placeOf(one?.draws ?? [], other?.draws ?? []),
  };
}

/** Sums in another order round otherwise. */
function isRounding(p: number, q: number): boolean {
  return Math.abs(p - q) <= 1e-12 * Math.min(p, q);
}

function placeOf(left: readonly ForcedDraw[], right: readonly ForcedDraw[]): Place {
  const [draws, others] = left.length > 0 ? [left, right] : [right, left];
  const telling = draws.find(({ of, at }, k) =>
    others[k] !== undefined && (String(others[k].of) !== String(of) || others[k].at !== at)
  );
  const { at, in: library } = telling ?? draws.at(-1) ?? { at: "" };
  return { at, ...(library === undefined ? {} : { in: library }) };
}
