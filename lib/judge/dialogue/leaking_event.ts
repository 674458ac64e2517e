import { featuresOf, learnedScore, type TranscriptFeature } from "./transcript_feature.ts";
import type { Answer, Transcript } from "./transcript.ts";

/** A point (ε, δ) of a claim. */
export interface Point {
  readonly epsilon: number;
  readonly delta: number;
}

/** An event of transcripts: a feature has a value, or is at least or at most one. */
export interface LeakingEvent {
  readonly feature: TranscriptFeature;
  readonly is?: Answer;
  readonly least?: number;
  readonly most?: number;
  /** The side that has it more often. */
  readonly side: 0 | 1;
}

/** Returns true if a transcript has the event. */
export function holds(event: LeakingEvent, transcript: Transcript): boolean {
  const value = event.feature.of(transcript);
  if (value === undefined) return false;
  if (event.is !== undefined) return value === event.is;
  if (typeof value !== "number") return false;
  return event.least !== undefined ? value >= event.least : value <= event.most!;
}

/** Returns the event in words. */
export function eventText({ feature: { name }, is, least, most }: LeakingEvent): string {
  if (is !== undefined) return `${name} = ${is}`;
  return least !== undefined ? `${name} >= ${short(least)}` : `${name} <= ${short(most!)}`;
}

function short(x: number): string {
  return String(Number(x.toPrecision(6)));
}

/**
 * Returns by how many standard deviations counts a and b of n break a claim, at its worst point. With `part` below 1 it is that part of the
 * claim: a search climbs on what breaks a part before anything breaks the whole.
 */
export function excess(
  [a, b]: readonly [number, number],
  n: number,
  { points, part = 1 }: { readonly points: readonly Point[]; readonly part?: number },
): number {
  let worst = -Infinity;
  for (const { epsilon, delta } of points) {
    const ratio = Math.exp(part * epsilon), lost = part * n * delta;
    worst = Math.max(worst, (a - ratio * b - lost) / Math.sqrt(a + ratio * ratio * b + 1 + lost));
  }
  return worst;
}

/** The fewest transcripts of a side from which a score is learned, on one half of them. */
const LEARNS_FROM = 80;

/**
 * Returns the event that breaks a part of the claim most clearly in these transcripts. It is selected, so that its excess here says nothing
 * yet: it is counted on others.
 */
export function mostLeaking(
  left: readonly Transcript[],
  right: readonly Transcript[],
  { points, part }: { readonly points: readonly Point[]; readonly part: number },
): { readonly event: LeakingEvent; readonly excess: number } | undefined {
  const n = left.length;
  let best: { event: LeakingEvent; excess: number } | undefined;
  const consider = (event: Omit<LeakingEvent, "side">, a: number, b: number, of: number): void => {
    for (const side of [0, 1] as const) {
      const counts = side === 0 ? [a, b] as const : [b, a] as const;
      if (counts[0] <= counts[1]) continue;
      const value = excess(counts, of, { points, part });
      if (best === undefined || value > best.excess) {
        best = { event: { ...event, side }, excess: value };
      }
    }
  };
  const look = (
    feature: TranscriptFeature,
    from: readonly Transcript[],
    to: readonly Transcript[],
  ): void => {
    const counts = new Map<Answer, [number, number]>();
    for (const [side, transcripts] of [from, to].entries()) {
      for (const transcript of transcripts) {
        const value = feature.of(transcript);
        if (value === undefined) continue;
        const count = counts.get(value);
        if (count === undefined) counts.set(value, side === 0 ? [1, 0] : [0, 1]);
        else count[side as 0 | 1]++;
      }
    }
    const numbers: number[] = [];
    for (const [value, [a, b]] of counts) {
      if (a + b > 2) consider({ feature, is: value }, a, b, from.length);
      if (typeof value === "number" && !Number.isNaN(value)) numbers.push(value);
    }
    if (numbers.length < 2) return;
    numbers.sort((x, y) => x - y);
    let totalA = 0, totalB = 0;
    for (const value of numbers) {
      const [a, b] = counts.get(value)!;
      totalA += a;
      totalB += b;
    }
    let a = 0, b = 0;
    for (const value of numbers) {
      if (a + b > 0) consider({ feature, least: value }, totalA - a, totalB - b, from.length);
      const [x, y] = counts.get(value)!;
      a += x;
      b += y;
      if (a + b < totalA + totalB) consider({ feature, most: value }, a, b, from.length);
    }
  };
  for (const feature of featuresOf([...left.slice(0, 40), ...right.slice(0, 40)])) {
    look(feature, left, right);
  }
  if (n >= LEARNS_FROM) {
    const half = n >> 1;
    const score = learnedScore(left.slice(0, half), right.slice(0, half));
    if (score !== undefined) look(score, left.slice(half), right.slice(half));
  }
  return best;
}
