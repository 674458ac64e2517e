import { requireKind } from "../../core/numeric/require.ts";

/** Throws unless a box has lists of lower and of upper bounds, for callers without types. Returns the box. */
export function requireBox<
  Box extends { readonly lower: readonly number[]; readonly upper: readonly number[] },
>(
  name: string,
  bounds: Box,
): Box {
  requireKind(name, "bounds.lower", bounds.lower, "list");
  requireKind(name, "bounds.upper", bounds.upper, "list");
  return bounds;
}
