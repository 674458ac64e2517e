import { lossCell } from "../../lib/accounting/loss_cells.ts";
import { smoothedBounds } from "../../lib/accounting/smoothed_delta.ts";
import {
  requireAliasings,
  requireCells,
  requireContours,
  requireMoments,
  requireSmoothings,
  type Rooms,
  rooms,
} from "../checks/rooms.ts";
import { requireRoundedUp } from "../checks/rounded_up.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = { ...rooms, rounded: (bound: number): number => bound };

/** Bounds have the room that the roundings of their doubles need. */
export const roomForRounding = theorem<typeof shipped & Rooms>({
  id: "composition/room_for_rounding",
  statement:
    "Upper bounds on ε and δ have at least the room that the roundings of their computation need, and lower bounds as much below: of sums over " +
    "contours, of powers, of what is cut off, of moments, of cells, and of closed forms.",
  citation: "Higham 2002, chapters 3 and 24, on sums and transforms; dpcheck",
  source: "lib/accounting; proofs/references/room_for_rounding.py derives the room in 40 digits",
  kind: "sampled",
  checked:
    "the room of contours, smoothed bounds, aliasing, moments and cells by a second derivation in 40 digits; of 26 closed forms at twelve settings",
  subject: shipped,
  check: (of) =>
    casesOf({
      "contours": () => requireContours(of),
      "smoothed bounds": () => requireSmoothings(of),
      "what a contour adds": () => requireAliasings(of),
      "moments": () => requireMoments(of),
      "cells": () => requireCells(of),
      "closed forms": () => requireRoundedUp(of.rounded),
    }),
  mutants: {
    "a cell's ends without room": {
      ...shipped,
      lossCell: (law, ends) => lossCell({ ...law, relativeError: 0 }, ends),
    },
    "bounds that are rounded down": {
      ...shipped,
      rounded: (bound) => bound * (1 - 1e-14),
    },
    "half of the contour's points": {
      ...shipped,
      smoothedBounds: (parts, smoothing) =>
        smoothedBounds(parts, { ...smoothing, points: Math.ceil(smoothing.points / 2) }),
    },
  },
});
