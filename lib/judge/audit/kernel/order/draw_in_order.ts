import { joinOutputs, type Outputs, type PairOutputs } from "../outputs.ts";
import type { PairData, Subject } from "../subject.ts";
import type { Coins } from "./coins.ts";
import { unaskedOf } from "./lost_outputs.ts";

/**
 * Draws one output a coin, in the order of the coins: by the subject's own method where it has one, otherwise by one call an output.
 * Blocks of one side are asked for where outputs were recorded, for no program runs then, and where they are declared
 * independent.
 */
export function drawInOrder(
  subject: Subject,
  pair: PairData,
  coins: Coins,
): PairOutputs | Promise<PairOutputs> {
  if (subject.drawInOrder !== undefined) return subject.drawInOrder(pair, coins);
  if (subject.independent || subject.recorded !== undefined) {
    return drawBlocks(subject, pair, coins);
  }
  return drawSingly(subject, pair, coins);
}

/** Draws all outputs of one side, then all of the other; both are asked for at once where the subject draws elsewhere. */
async function drawBlocks(
  subject: Subject,
  pair: PairData,
  { left, right, leftFirst }: Coins,
): Promise<PairOutputs> {
  const counts = { left, right };
  const [first, second] = leftFirst ? ["left", "right"] as const : ["right", "left"] as const;
  const draw = (side: "left" | "right"): Outputs | Promise<Outputs> =>
    counts[side] === 0 ? joinOutputs([]) : subject.draw(pair[side], counts[side]);
  const begun = draw(first);
  const drawn = subject.drawsElsewhere
    ? await Promise.all([begun, draw(second)])
    : [await begun, await draw(second)] as const;
  return leftFirst ? { left: drawn[0], right: drawn[1] } : { left: drawn[1], right: drawn[0] };
}

/** For subjects that draw elsewhere, the end of the last draw begun. */
const turns = new WeakMap<Subject, Promise<unknown>>();

/** Draws by one call an output. A draw waits for the end of the one before: their outputs must not alternate in time. */
function drawSingly(subject: Subject, pair: PairData, coins: Coins): Promise<PairOutputs> {
  const drawn = subject.drawsElsewhere
    ? (turns.get(subject) ?? Promise.resolve()).then(() => drawOneByOne(subject, pair, coins))
    : drawOneByOne(subject, pair, coins);
  turns.set(subject, drawn.catch(() => {}));
  return drawn;
}

async function drawOneByOne(
  subject: Subject,
  { left, right }: PairData,
  coins: Coins,
): Promise<PairOutputs> {
  const { order, ends } = coins, parts: Outputs[] = [];
  for (let i = 0; i < order.length && ends?.isOver() !== true; i++) {
    const drawn = subject.draw(order[i] === 0 ? left : right, 1);
    // A subject that answers at once is not awaited: that would cost a pause for each output.
    parts[i] = drawn instanceof Promise ? await drawn : drawn;
  }
  return {
    left: joinOutputs(parts.filter((_, i) => order[i] === 0)),
    right: joinOutputs(parts.filter((_, i) => order[i] === 1)),
    ...unaskedOf(coins, parts.length),
  };
}
