import { bareJson } from "../../../../core/text/bare_json.ts";
import type { Coins } from "../../kernel/order/coins.ts";
import { dealOutputs, type Outputs, packOutputs, type PairOutputs } from "../../kernel/outputs.ts";
import { type PairData, type Subject, SubjectFailure, Thrown } from "../../kernel/subject.ts";
import { BatchSize } from "./batch_size.ts";
import type { Channel } from "./channel.ts";
import { type Awaited, ProgramAnswers } from "./program_answers.ts";
import { bySide, type Draw, type Drawn, type Range, withoutMissing } from "./program_draw.ts";
import { RepeatedOutputs } from "./repeated_outputs.ts";
import { RequestLines } from "./request_lines.ts";

/** Most bytes of requests that wait unanswered. */
const IN_FLIGHT = 1 << 20;
/** Most requests of one output that wait unanswered. */
const MOST_WAITING = 256;

interface Request extends Range {
  readonly id: number;
}

const encoder = new TextEncoder();

/**
 * A program that was started, and is asked for outputs line by line.
 *
 * The division of a draw into requests depends on counts and never on coins that it has not seen: a program that takes orders gets each order with all its coins; any other is asked for one output at a time, or, where its outputs are
 * declared independent, for one side and then the other.
 *
 * One error in answer to several outputs leaves them lost, for the program knows their coins now; from then on it is asked for one
 * output a request.
 */
export class Program {
  readonly #channel: Channel;
  readonly #answers: ProgramAnswers;
  readonly #name: string;
  readonly #timeoutSeconds: number;
  readonly #independent: boolean;
  readonly #size: BatchSize;
  readonly #repeated = new RepeatedOutputs();
  /** The JSON of the datasets asked about. */
  readonly #encoded = new WeakMap<object, string>();
  /** The last lines with datasets: a program that says so remembers these. */
  #remembered: RequestLines | undefined;
  #lastId = 0;
  #oneByOne = false;
  /** Resolves when the last request is answered or has failed. */
  #last: Promise<void> | undefined;
  #failure: SubjectFailure | undefined;
  #firstAnswerAt: number | undefined;

  /** Asks the program at the other end of the channel. */
  constructor(
    channel: Channel,
    { name, timeoutSeconds, independent }: {
      readonly name: string;
      readonly timeoutSeconds: number;
      readonly independent: boolean;
    },
  ) {
    this.#name = name;
    this.#timeoutSeconds = timeoutSeconds;
    this.#size = new BatchSize(timeoutSeconds);
    this.#independent = independent;
    this.#channel = channel;
    this.#answers = new ProgramAnswers(channel, { name, timeoutSeconds });
  }

  /** When it first answered, in milliseconds of `performance.now`. */
  get firstAnswerAt(): number | undefined {
    return this.#firstAnswerAt;
  }

  /** Draws on one dataset, after all earlier requests. Nothing is bet on these outputs, so that they may be asked for again. */
  async draw(data: unknown, count: number): Promise<Outputs> {
    const { outputs } = await this.#inTurn({ left: data, right: data }, new Uint8Array(count));
    return outputs;
  }

  /** Draws one output a coin, after all earlier requests. */
  async drawInOrder(pair: PairData, coins: Coins): Promise<PairOutputs> {
    // A copy, for it is sorted where outputs are declared independent.
    const { outputs, order, ...missing } = await this.#inTurn(pair, coins.order.slice(), coins);
    return { ...dealOutputs(outputs, order), ...missing };
  }

  /** Ends the program. */
  async close(): Promise<void> {
    this.#failure ??= new SubjectFailure(`${this.#name} was closed`);
    await this.#channel.end({ broken: false });
  }

  #inTurn(pair: PairData, order: Uint8Array, coins?: Coins): Promise<Drawn> {
    const drawNow = (): Promise<Drawn> => this.#drawNow(pair, order, coins);
    const drawn = this.#last?.then(drawNow) ?? drawNow();
    const ended = (): void => {
      if (this.#last === last) this.#last = undefined;
    };
    const last = drawn.then(ended, ended);
    this.#last = last;
    return drawn;
  }

  async #drawNow(pair: PairData, order: Uint8Array, coins: Coins | undefined): Promise<Drawn> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      return await this.#draw(pair, order, coins);
    } catch (error) {
      // Answers to this draw that come late would be taken for answers to the next request.
      if (error instanceof SubjectFailure) this.#failure ??= error;
      await this.#channel.end({ broken: true });
      throw this.#failure ?? error;
    }
  }

  async #draw(
    { left, right }: PairData,
    order: Uint8Array,
    coins: Coins | undefined,
  ): Promise<Drawn> {
    this.#answers.about = [left, right];
    if (this.#channel.output.available > 0) {
      throw await this.#answers.failure("sent more than it was asked for");
    }
    const count = order.length;
    const draw: Draw = {
      lines: new RequestLines(this.#json(left), this.#json(right)),
      order,
      missing: count > 0 ? [{ from: 0, to: count }] : [],
      values: new Array<unknown>(count),
      numbers: undefined,
      mayAskAgain: coins === undefined,
      lost: [],
    };
    if (this.#answers.greeting === undefined && count > 0) await this.#askFirst(draw);
    const { order: takesOrder, width } = this.#answers.greeting ??
      { order: false, width: undefined };
    if (this.#independent && !takesOrder) {
      bySide(order.subarray(draw.missing[0]?.from ?? count), coins?.leftFirst ?? true);
    }
    if (width !== undefined) draw.numbers ??= new Float64Array(count * width);
    const waiting: Request[] = [];
    // Blocks of one side are not ended: the coins that are left would be known.
    const ends = this.#independent && !takesOrder ? undefined : coins?.ends;
    const isOver = (): boolean => ends?.isOver() === true;
    while ((draw.missing.length > 0 && !isOver()) || waiting.length > 0) {
      if (!isOver()) this.#ask(draw, waiting);
      const request = waiting.shift();
      if (request === undefined) break;
      const taken = this.#take(draw, request);
      if (ends === undefined) await taken;
      else if (!await Promise.race([taken.then(() => true), ends.late.then(() => false)])) {
        taken.catch(() => {});
        draw.lost.push(request, ...waiting.splice(0));
        this.#failure = new SubjectFailure(`${this.#name} was asked for no more: time was over`);
      }
    }
    if (draw.lost.length + draw.missing.length > 0) return withoutMissing(draw);
    const outputs: Outputs = width === undefined
      ? packOutputs(draw.values)
      : { kind: "block", width, values: draw.numbers! };
    return { outputs, order };
  }

  /** Asks for one output, and reads in the first line how to ask for the others. */
  async #askFirst(draw: Draw): Promise<void> {
    const [{ to }] = draw.missing.splice(0) as [Range];
    const request = { id: ++this.#lastId, from: 0, to: 1 };
    this.#remembered = draw.lines;
    this.#channel.write(encoder.encode(draw.lines.first(request.id, draw.order[0] as 0 | 1)));
    const { width } = await this.#answers.greet(this.#awaited(request));
    if (width !== undefined) draw.numbers = new Float64Array(draw.order.length * width);
    await this.#take(draw, request);
    this.#firstAnswerAt = performance.now();
    if (to > 1) draw.missing.push({ from: 1, to });
  }

  /** Writes requests for missing outputs, so that the program draws while its last answer is read. */
  #ask(draw: Draw, waiting: Request[]): void {
    const { missing, lines, order } = draw;
    const { order: takesOrder, references } = this.#answers.greeting!;
    const isSingle = this.#oneByOne || !(takesOrder || this.#independent);
    const mostWaiting = isSingle
      ? Math.max(2, Math.min(MOST_WAITING, Math.floor(IN_FLIGHT / lines.size)))
      : 2;
    // Writes take time: requests are added when half of them are answered.
    if (waiting.length > mostWaiting / 2) return;
    // After an error in answer to several outputs, the other requests of several are answered first: outputs stay in order.
    if (isSingle && waiting.some(({ from, to }) => to - from > 1)) return;
    let text = "";
    while (missing.length > 0 && waiting.length < mostWaiting) {
      const { from, to } = missing.shift()!;
      let end = isSingle ? from + 1 : Math.min(to, from + this.#size.current);
      const id = ++this.#lastId;
      if (takesOrder) {
        const isRemembered = references && this.#channel.isOneProgram &&
          this.#remembered !== undefined && lines.isAboutTheSame(this.#remembered);
        this.#channel.write(lines.ordered(id, order.subarray(from, end), { isRemembered }));
        this.#remembered = lines;
      } else {
        const side = order[from] as 0 | 1;
        const other = order.subarray(from, end).indexOf(1 - side);
        if (other >= 0) end = from + other;
        text += lines.block(id, { side, count: end - from });
      }
      waiting.push({ id, from, to: end });
      if (end < to) missing.unshift({ from: end, to });
    }
    if (text !== "") this.#channel.write(encoder.encode(text));
  }

  /** Takes the answer to a request. */
  async #take(draw: Draw, request: Request): Promise<void> {
    const start = performance.now();
    const { from, to } = request;
    const count = to - from;
    const awaited = this.#awaited(request);
    const { width } = this.#answers.greeting!;
    if (width !== undefined) {
      const block = draw.numbers!.subarray(from * width, to * width);
      await this.#answers.block(awaited, block);
      this.#size.measured(count, block.byteLength, performance.now() - start);
      if (!this.#repeated.isVaried) {
        const rows = Array.from(
          { length: count },
          (_, i) => Array.from(block.subarray(i * width, (i + 1) * width)),
        );
        this.#refuseRepeated(rows, draw.order.subarray(from, to));
      }
      return;
    }
    const answer = await this.#answers.answer(awaited);
    if (answer.kind === "error") {
      if (count === 1) draw.values[from] = new Thrown(answer.message);
      else {
        this.#oneByOne = true;
        const places = draw.mayAskAgain ? draw.missing : draw.lost;
        places.push({ from, to });
        places.sort((a, b) => a.from - b.from);
      }
      return;
    }
    this.#size.measured(count, answer.bytes, performance.now() - start);
    for (let i = 0; i < count; i++) draw.values[from + i] = answer.outputs[i];
    this.#refuseRepeated(answer.outputs, draw.order.subarray(from, to));
  }

  /** @throws {SubjectFailure} when the program is known to draw once for each request. */
  #refuseRepeated(outputs: readonly unknown[], order: Uint8Array): void {
    if (this.#repeated.isVaried || !this.#repeated.look(outputs, order)) return;
    throw new SubjectFailure(
      `${this.#name} repeats one output in each of its answers: every output of a request must be drawn anew`,
    );
  }

  #awaited({ id, from, to }: Request): Awaited {
    const deadline = performance.now() + this.#timeoutSeconds * 1000;
    return { id, count: to - from, deadline };
  }

  #json(data: unknown): string {
    if (typeof data !== "object" || data === null) return bareJson(data)!;
    let json = this.#encoded.get(data);
    if (json === undefined) this.#encoded.set(data, json = bareJson(data)!);
    return json;
  }
}

/** Returns a program as a subject. */
export function programSubject(
  program: Program,
  { name, independent, usualDraws }: {
    readonly name: string;
    readonly independent: boolean;
    readonly usualDraws: number;
  },
): Subject {
  return {
    name,
    usualDraws,
    drawsElsewhere: true,
    asksAhead: true,
    ...(independent ? { independent } : {}),
    firstAnswerAt: () => program.firstAnswerAt,
    draw: (data, count) => program.draw(data, count),
    drawInOrder: (pair, coins) => program.drawInOrder(pair, coins),
    close: () => program.close(),
  };
}
