import { changedDraws } from "./changed_draws.ts";
import { missingOf } from "./lost_outputs.ts";
import { joinOutputs, type Outputs, type PairOutputs } from "../outputs.ts";
import type { PairData, Subject } from "../subject.ts";
import type { Coins } from "./coins.ts";
import { drawInOrder } from "./draw_in_order.ts";

/**
 * Returns the subject, asked for one output a request, and for the next one when it has answered. So it knows no coin of an output to come,
 * and no promise is needed that it computes each output before it reads on.
 */
export function oneAtATime(subject: Subject): Subject {
  if (subject.recorded !== undefined) return subject;
  /** Resolves when the last draw has ended: outputs of two draws must not alternate in time. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Drawn>(draw: () => Promise<Drawn>): Promise<Drawn> => {
    const drawn = last.then(draw);
    last = drawn.catch(() => {});
    return drawn;
  };
  return changedDraws(subject, {
    independent: false,
    asksAhead: false,
    draw: (data: unknown, count: number): Promise<Outputs> =>
      inTurn(async () => {
        const parts: Outputs[] = [];
        for (let i = 0; i < count; i++) parts.push(await subject.draw(data, 1));
        return joinOutputs(parts);
      }),
    drawInOrder: (pair: PairData, coins: Coins): Promise<PairOutputs> =>
      inTurn(async () => {
        const parts: PairOutputs[] = [];
        for (let i = 0; i < coins.count; i++) {
          const drawn = drawInOrder(subject, pair, coins.slice(i, i + 1));
          parts.push(drawn instanceof Promise ? await drawn : drawn);
        }
        const { order } = coins;
        return {
          left: joinOutputs(parts.filter((_, i) => order[i] === 0).map(({ left }) => left)),
          right: joinOutputs(parts.filter((_, i) => order[i] === 1).map(({ right }) => right)),
          ...missingOf(parts),
        };
      }),
  });
}
