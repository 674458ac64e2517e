import process from "node:process";
import type { ShardLedger } from "../../lib/judge/audit/kernel/shards/shard_ledger.ts";
import { quoteFor } from "../../lib/judge/report/quote_for.ts";
import { longCount } from "../../lib/judge/report/short_number.ts";

const CLEAR = "\r\x1b[2K";
/** Milliseconds between two lines. */
const INTERVAL = 200;

/** One line on standard error that says how many shards are counted, and when all will be; nothing unless a terminal. */
export class ShardProgress {
  readonly #ledger: ShardLedger;
  readonly #begun = performance.now();
  /** Shards that were counted before this process began. */
  readonly #before: number;
  #last = -Infinity;

  /** Shows how this ledger fills. */
  constructor(ledger: ShardLedger) {
    this.#ledger = ledger;
    this.#before = ledger.complete;
  }

  /** Shows how many shards are counted; `note` says what is waited for. */
  show(note = ""): void {
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.#last < INTERVAL) return;
    this.#last = now;
    process.stderr.write(CLEAR + quoteFor("terminal", this.text(note)));
  }

  /** The line. */
  text(note = ""): string {
    const { complete, draws, job: { shards } } = this.#ledger;
    const seconds = (performance.now() - this.#begun) / 1000, own = complete - this.#before;
    const left = own === 0 ? undefined : Math.ceil((shards - complete) * seconds / own);
    const end = left === undefined
      ? ""
      : left < 120
      ? `, about ${left} s left`
      : `, about ${Math.ceil(left / 60)} min left`;
    return `shards   ${longCount(complete)} of ${longCount(shards)}  ${longCount(draws)} draws  ` +
      `${Math.floor(seconds)} s${end}${note}`;
  }

  /** Wipes the line. */
  clear(): void {
    if (process.stderr.isTTY) process.stderr.write(CLEAR);
  }
}
