/** Result of a tool on a mechanism, with its cost. */
export interface PeerResult {
  /** `null` where it ended without one. */
  readonly bound: number | null;
  readonly draws: number;
  /** Of the run, without the time in which the program is loaded. */
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/**
 * Reads the last line that a peer prints; what it says before is for people.
 *
 * @throws {TypeError} when it is not a result of theirs.
 */
export function peerResult(printed: string): PeerResult {
  const line = printed.trimEnd().split("\n").at(-1)!;
  let read: Partial<Record<keyof PeerResult, unknown>>;
  try {
    read = JSON.parse(line);
  } catch {
    throw new TypeError(
      `Cannot read a result: the last line must be JSON: current value is ${line}`,
    );
  }
  const { bound, draws, seconds, cpuSeconds } = read;
  const isNumber = (value: unknown): value is number =>
    typeof value === "number" && Number.isFinite(value) && value >= 0;
  // JSON has no infinity; Python writes one all the same, and so it would have been refused above.
  if (!(bound === null || isNumber(bound)) || ![draws, seconds, cpuSeconds].every(isNumber)) {
    throw new TypeError(
      `Cannot read a result: its numbers must not be negative: current value is ${line}`,
    );
  }
  return read as PeerResult;
}

/** Returns true if a bound is at least a peer's; a peer without one is behind every bound. */
export function isAtLeast(bound: number, peer: PeerResult): boolean {
  return peer.bound === null || bound >= peer.bound;
}
