import { NO_LOSS } from "../loss.ts";
import { lossOfDeclared } from "../loss_of_declared.ts";
import type { Read } from "../recording.ts";
import { distanceOf } from "./declared_distance.ts";
import type { ShownByReads } from "./moved_values.ts";
import { type Difference, type Observation, observed } from "./observation.ts";
import { ROUNDING } from "./rounding.ts";

/** Compares two uses of a declared mechanism: by how much its value moves, beside the sensitivity that it declares. */
export function compareDeclared(
  a: Read,
  b: Read,
  { index, areNested }: {
    readonly index: number;
    /** Whether one dataset has all rows of the other. */
    readonly areNested: boolean;
  },
): Partial<ShownByReads> {
  const own = a.declared!, other = b.declared!;
  const { sensitivity, name, logDensity } = own;
  const shown = (kind: Difference, rest: Partial<Observation>): Partial<ShownByReads> => ({
    observations: [observed(kind, a, { index, ...rest })],
  });
  if (logDensity !== undefined && other.logDensity !== undefined) {
    const loss = Math.abs(logDensity - other.logDensity);
    return loss > ROUNDING
      ? shown("shift", { law: "density", loss: { ...NO_LOSS, pure: [loss] }, detail: name })
      : {};
  }
  const change = distanceOf(own.given, other.given, own.distance ?? "l1");
  const sameTerms = (["sensitivity", "epsilon", "rho", "delta"] as const)
    .every((term) => Object.is(own[term], other[term]));
  if (!sameTerms) {
    return shown("noise-depends-on-data", {
      detail: `what ${name} declares depends on the data`,
    });
  }
  if (change === 0) return {};
  const isChoice = own.distance === "range";
  // A choice loses by how far apart its utilities move: twice their sensitivity, but where all move in one direction.
  const allowed = (sensitivity ?? change) * (isChoice && own.monotonic !== true ? 2 : 1);
  const loss = lossOfDeclared(own, change / allowed);
  const moved = isChoice ? distanceOf(own.given, other.given, "linf") : change;
  const isBeyond = sensitivity !== undefined && !(moved <= sensitivity * (1 + ROUNDING));
  const isTurned = own.monotonic === true && areNested && change > moved * (1 + ROUNDING);
  return {
    declared: [a],
    ...isBeyond
      ? shown("declaration-broken", { change: moved, scale: sensitivity, law: name, loss })
      : isTurned
      ? shown("declaration-broken", {
        change,
        scale: sensitivity ?? 0,
        law: name,
        loss,
        detail: "monotonic",
      })
      : shown("shift", { change, law: name, loss }),
  };
}
