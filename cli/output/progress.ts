import process from "node:process";
import type { Progress } from "../../lib/judge/audit/kernel/drawing/progress.ts";
import { longCount, shortNumber } from "../../lib/judge/report/short_number.ts";

const CLEAR = "\r\x1b[2K";
const INTERVAL = 100;

/** One line on standard error that is written over as an audit goes on; nothing unless a terminal. */
interface ProgressLine {
  show(progress: Progress): void;
  /** Wipes the line. */
  clear(): void;
}

/** The progress line of this process, of an audit whose bounds are on a parameter of this symbol. */
export function progressLine(symbol: string): ProgressLine {
  if (!process.stderr.isTTY) return { show: () => {}, clear: () => {} };
  let last = 0;
  let shown = false;
  return {
    show(progress: Progress): void {
      const now = performance.now();
      if (now - last < INTERVAL) return;
      last = now;
      shown = true;
      // A line that fills the last column goes on in the next one, which cannot be written over.
      const text = [...progressText(progress, symbol)].slice(0, (process.stderr.columns || 80) - 1);
      process.stderr.write(CLEAR + text.join(""));
    },
    clear(): void {
      if (shown) process.stderr.write(CLEAR);
      shown = false;
    },
  };
}

/** The state of an audit in one line; the bound is rounded down. */
export function progressText(
  { phase, draws, seconds, maxDraws, maxSeconds, epsilonLowerBound, eValue }: Progress,
  symbol: string,
): string {
  const bound = (Math.floor(epsilonLowerBound * 1e4) / 1e4).toFixed(4);
  const drawn = maxDraws === Infinity ? "" : ` of ${longCount(maxDraws)}`;
  const timed = maxSeconds === Infinity ? "" : ` of ${shortNumber(maxSeconds)}`;
  return `${phase.padEnd(7)}  ${longCount(draws)}${drawn} draws  ${symbol} ≥ ${bound}  ` +
    `e-value ${shortNumber(eValue, 3)}  ${Math.floor(seconds)}${timed} s` +
    timeLeft({ draws, seconds, maxDraws, maxSeconds });
}

/** The seconds that an audit will go on: to its limit of time, or to that of draws at its speed so far. */
function timeLeft(
  { draws, seconds, maxDraws, maxSeconds }: Omit<
    Progress,
    "phase" | "epsilonLowerBound" | "eValue"
  >,
): string {
  const byDraws = draws === 0 ? Infinity : (maxDraws - draws) * seconds / draws;
  const left = Math.max(0, Math.ceil(Math.min(maxSeconds - seconds, byDraws)));
  if (!Number.isFinite(left)) return "";
  return left < 120 ? `, about ${left} s left` : `, about ${Math.ceil(left / 60)} min left`;
}
