import { textOf } from "../text_of.ts";

/** The number n of outputs times the entropy H of their frequencies, in nats, added up over datasets. */
export class Entropy {
  readonly #drawn = new Map<unknown, { outputs: number; times: Map<string, number> }>();
  #nats = 0;

  /** n·H, in nats. */
  get nats(): number {
    return this.#nats;
  }

  add(data: unknown, output: string): void {
    const on = this.#drawn.get(data) ?? { outputs: 0, times: new Map<string, number>() };
    this.#drawn.set(data, on);
    const times = on.times.get(output) ?? 0;
    this.#nats += step(on.outputs) - step(times);
    on.times.set(output, times + 1);
    on.outputs++;
  }
}

/** Returns the difference of n·ln n from n to n + 1. */
function step(n: number): number {
  return n === 0 ? 0 : (n + 1) * Math.log(n + 1) - n * Math.log(n);
}

/** Returns the text by which outputs are compared. Different outputs of the same text count as equal: that costs time, never soundness. */
export function comparable(output: unknown): string {
  return typeof output === "number" ? String(output) : textOf(output);
}
