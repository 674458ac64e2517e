import type { Atom, Read, Recording } from "../recording.ts";

/** Returns true if noise only chooses in a run. */
export function onlyChooses({ reads, atoms }: Recording): boolean {
  return reads.length > 0 && reads.every((read) => isChoice(read, atoms));
}

/** Returns true if noise only chooses in a read: a discrete draw, or a comparison of uniform noise. */
export function isChoice(read: Read, atoms: readonly Atom[]): boolean {
  return read.kind === "draw" || read.kind === "sign" && onlyUniform(read, atoms);
}

/** Returns true if all noise in a read is uniform. */
export function onlyUniform({ forms }: Read, atoms: readonly Atom[]): boolean {
  return forms.every(([, terms]) => terms.every(([atom]) => atoms[atom]!.law === "uniform"));
}
