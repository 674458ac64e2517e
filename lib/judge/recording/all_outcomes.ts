import type { Claim } from "../../core/claims/claim.ts";
import type { TwoLaws } from "./two_laws.ts";
import type { ForcedOutput, OutputLaw } from "./forced_paths.ts";
import { isRounding } from "./loss_of_draws.ts";
import { parameterOfLaws } from "./loss_of_outputs.ts";
import { type ForcedDraw, type Place, placeAlone } from "./recording.ts";

/** What the laws of the outputs on two datasets show: exact, as far as all that a program draws is watched. */
export interface AllOutcomes {
  /** The least parameter of the claim that this pair keeps: ε, ρ or μ. */
  readonly parameter: number;
  /** The output that tells most, and how likely it is on the left and on the right. */
  readonly output: Pick<ForcedOutput, "output" | "error">;
  readonly chances: readonly [number, number];
  /** How many ways the draws can go, on the left and on the right. */
  readonly paths: readonly [number, number];
  /** The probability of ways that were not run, on the side that has more of them: 0 where all were. */
  readonly unseen: number;
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
  // What was not run may be any output: with it on the other side the loss is no less than this.
  const lawOf = (own: 0 | 1): TwoLaws => ({
    left: chances.map((chance) => Math.log(chance[own])),
    right: chances.map((chance) => Math.log(chance[1 - own]! + [left, right][1 - own]!.unseen)),
  });
  const laws = [lawOf(0), lawOf(1)];
  const tells = (k: number): number =>
    claim.kind === "pure"
      ? Math.max(
        ...laws.map((own) => own.left[k]! === -Infinity ? 0 : own.left[k]! - own.right[k]!),
      )
      : Math.abs(chances[k]![0] - chances[k]![1]);
  const most = keys.reduce((best, _, k) => tells(k) > tells(best) ? k : best, 0);
  const [one, other] = [left, right].map(({ outputs }) => outputs.get(keys[most]!));
  return {
    parameter: parameterOfLaws(laws, claim),
    output: (one ?? other)!,
    chances: chances[most]!,
    paths: [left.paths, right.paths],
    unseen: Math.max(left.unseen, right.unseen),
    place: placeOf(one?.draws ?? [], other?.draws ?? []),
  };
}

function placeOf(left: readonly ForcedDraw[], right: readonly ForcedDraw[]): Place {
  const [draws, others] = left.length > 0 ? [left, right] : [right, left];
  const telling = draws.find(({ of, at }, k) =>
    others[k] !== undefined && (String(others[k].of) !== String(of) || others[k].at !== at)
  );
  return placeAlone(telling ?? draws.at(-1));
}
