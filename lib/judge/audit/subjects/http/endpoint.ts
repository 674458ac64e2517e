import { Readable } from "node:stream";
import { ByteReader } from "../process/byte_reader.ts";
import type { Channel } from "../process/channel.ts";
import { quotedEnd } from "../quoted.ts";

const decoder = new TextDecoder();
const LINE_FEED = 10, CARRIAGE_RETURN = 13, SPACE = 32;
/** The most requests under way at once, whatever an endpoint says that it can answer. */
const MOST_PARALLEL = 32;

/** The body of a response; or why there is none, which ends the endpoint. */
type Answered = { readonly bytes: Uint8Array } | { readonly fate: string };

/**
 * An HTTP endpoint that answers each request line in the body of a POST with an answer line in the body of its response. A GET comes first: a
 * response like the first line of a program, `{"dpcheck":1,"order":true}`, says what requests may be like; any other is ignored. Lines are
 * sent one after the other, each when the one before is answered, for a server of one thread may keep other connections waiting for good; where
 * that response has `"parallel":N`, up to N are under way at once. Answers come out in the order of their lines.
 */
export class Endpoint implements Channel {
  readonly #url: string;
  readonly #answers = new Readable({ read: () => {} });
  /** Ends the requests that are under way. Each has its own: under Node a signal keeps a listener of every request. */
  readonly #underWay = new Set<AbortController>();
  /** Begins requests that wait for others to end, the first first. */
  readonly #waiting: (() => void)[] = [];
  /** Requests that may begin at once. */
  #free = 1;
  readonly #greeted: Promise<unknown>;
  /** Resolves when all lines so far are answered. */
  #last: Promise<void>;
  #fate: string | undefined;
  /** Copies share it, and others may answer for it. */
  readonly isOneProgram = false;
  readonly output: ByteReader = new ByteReader(this.#answers);

  readonly #mostBytes: number;

  /** Asks for what requests may be like. A response of more than `mostBytes` ends it; default: 2²⁹. */
  constructor(url: string, { mostBytes = 2 ** 29 }: { readonly mostBytes?: number } = {}) {
    this.#url = url;
    this.#mostBytes = mostBytes;
    const greeted = this.#asking((signal) => this.#greet(signal));
    this.#greeted = greeted;
    this.#last = greeted.then((answered) => this.#pass(answered));
  }

  write(lines: Uint8Array): void {
    for (const line of decoder.decode(lines).trimEnd().split("\n")) {
      const answered = this.#inPlace(() => this.#asking((signal) => this.#post(line, signal)));
      this.#last = this.#last.then(async () => this.#pass(await answered));
    }
  }

  fate(): Promise<string> {
    return Promise.resolve(this.#fate ?? "was closed");
  }

  errorTail(): Promise<string> {
    return Promise.resolve("");
  }

  async end(): Promise<void> {
    this.#end("was closed");
    await this.#last;
    this.output.cancel();
  }

  #end(fate: string): void {
    if (this.#fate !== undefined) return;
    this.#fate = fate;
    for (const ending of this.#underWay) ending.abort();
    this.#answers.push(null);
  }

  /** Asks once the endpoint has greeted, and when few enough requests are under way. */
  async #inPlace(ask: () => Promise<Answered>): Promise<Answered> {
    await this.#greeted;
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await ask();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  async #asking(ask: (signal: AbortSignal) => Promise<Answered>): Promise<Answered> {
    const ending = new AbortController();
    this.#underWay.add(ending);
    try {
      return this.#fate === undefined ? await ask(ending.signal) : { fate: this.#fate };
    } catch (error) {
      return { fate: `could not be asked (${reasonOf(error)})` };
    } finally {
      this.#underWay.delete(ending);
    }
  }

  /** Passes on an answer, or why there is none: what comes after is not asked, and not read. */
  #pass(answered: Answered): void {
    if ("fate" in answered) this.#end(answered.fate);
    else if (this.#fate === undefined && answered.bytes.length > 0) this.#push(answered.bytes);
  }

  /** Reads what requests may be like; nothing is passed on of another response. */
  async #greet(signal: AbortSignal): Promise<Answered> {
    const response = await fetch(this.#url, { method: "GET", redirect: "error", signal });
    const bytes = await this.#bytesOf(response), body = decoder.decode(bytes);
    if (!response.ok || !/"dpcheck"\s*:/.test(body)) return { bytes: new Uint8Array() };
    if (/"binary"\s*:/.test(body)) {
      return { fate: "offers binary answers, which a URL cannot give" };
    }
    const parallel = Number(/"parallel"\s*:\s*(\d+)/.exec(body)?.[1] ?? 1);
    this.#free = Math.max(1, Math.min(MOST_PARALLEL, parallel));
    return { bytes };
  }

  async #post(line: string, signal: AbortSignal): Promise<Answered> {
    const headers = { "content-type": "application/json" };
    // Datasets go to this address and to no other.
    const init = { method: "POST", headers, body: line, redirect: "error", signal } as const;
    const response = await fetch(this.#url, init);
    const bytes = await this.#bytesOf(response);
    if (response.ok) return { bytes: bytes.length > 0 ? bytes : Uint8Array.of(SPACE) };
    const body = decoder.decode(bytes);
    return {
      fate: `answered with status ${response.status}${body === "" ? "" : ` ${quotedEnd(body)}`}`,
    };
  }

  /** Returns the body, as long as it may be: one without an end is not read to the end. */
  async #bytesOf(response: Response): Promise<Uint8Array> {
    const { body, headers } = response, length = Number(headers.get("content-length") ?? Infinity);
    // To read a body part by part takes twice the time; one that was compressed may be longer than it says.
    if (length <= this.#mostBytes && !headers.has("content-encoding")) {
      return new Uint8Array(await response.arrayBuffer());
    }
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of body ?? []) {
      parts.push(part as Uint8Array);
      size += (part as Uint8Array).length;
      if (size > this.#mostBytes) {
        throw new Error(`its answer has more than ${this.#mostBytes.toLocaleString("en")} bytes`);
      }
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  /** Passes on the bytes as they are, for bytes that are not UTF-8 are refused. JSON has line ends between its words alone. */
  #push(body: Uint8Array): void {
    const line = body.map((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte);
    const end = line.findLastIndex((byte) => byte !== SPACE) + 1;
    this.#answers.push(line.subarray(0, end));
    this.#answers.push(Uint8Array.of(LINE_FEED));
  }
}

/** Returns the innermost reason: that of `fetch` is "fetch failed". */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message !== "" ? cause.message : message;
}
