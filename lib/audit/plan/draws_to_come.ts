import type { Play, Player } from "../kernel/play.ts";

/** The share of the seconds left, or of the draws if these are fewer, that go by while it is measured how fast draws come. */
const MEASURED_SHARE = 0.04;

/**
 * How many draws the rest of the budget is likely to allow with a partition that is fixed already. Where there is a
 * deadline some are made to measure how fast they come: they are bet on, and count in no later test.
 */
export async function drawsToCome(
  player: Player,
  { play, isOver }: {
    /** Makes the draws and bets on them. */
    readonly play: Play;
    /** Ends the audit before its budget is spent. */
    readonly isOver: () => boolean;
  },
): Promise<number> {
  const { sampler } = play;
  const left = (): number => sampler.maxDraws - sampler.draws;
  if (sampler.maxSeconds === Infinity) return left();
  const { draws, seconds } = sampler;
  const end = seconds + MEASURED_SHARE * (sampler.maxSeconds - seconds);
  const most = draws + MEASURED_SHARE * left();
  await play.drawWhile([player], {
    phase: "confirm",
    until: () => isOver() || sampler.seconds >= end || sampler.draws >= most,
    most: () => Math.max(1, Math.floor(most - sampler.draws)),
  });
  const rate = (sampler.draws - draws) / Math.max(1e-6, sampler.seconds - seconds);
  return Math.min(left(), rate * Math.max(0, sampler.maxSeconds - sampler.seconds));
}
