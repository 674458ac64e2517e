import { Readable } from "node:stream";
import { ByteReader } from "../process/byte_reader.ts";
import type { Channel } from "../process/channel.ts";
import { quotedEnd } from "../quoted.ts";

const decoder = new TextDecoder();
const LINE_FEED = 10, CARRIAGE_RETURN = 13, SPACE = 32;

/**
 * An HTTP endpoint that answers each request line in the body of a POST with an answer line in the body of its response. Lines are
 * sent one after the other, each when the one before is answered. A GET comes first: a response like the first line of a
 * program, `{"dpcheck":1,"order":true}`, says what requests may be like; any other is ignored.
 */
export class Endpoint implements Channel {
  readonly #url: string;
  readonly #answers = new Readable({ read: () => {} });
  /** Ends the request that is under way. Each has its own: under Node a signal keeps a listener of every request. */
  #ending = new AbortController();
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
    this.#last = this.#asking(() => this.#greet());
  }

  write(lines: Uint8Array): void {
    for (const line of decoder.decode(lines).trimEnd().split("\n")) {
      this.#last = this.#last.then(() => this.#asking(() => this.#post(line)));
    }
  }

  fate(): Promise<string> {
    return Promise.resolve(this.#fate ?? "was closed");
  }

  errorTail(): Promise<string> {
    return Promise.resolve("");
  }

  async end(): Promise<void> {
    this.#fate ??= "was closed";
    this.#ending.abort();
    await this.#last;
    this.output.cancel();
  }

  async #asking(ask: () => Promise<string | undefined>): Promise<void> {
    if (this.#fate !== undefined) return;
    try {
      this.#fate ??= await ask();
    } catch (error) {
      this.#fate ??= `could not be asked (${reasonOf(error)})`;
    }
    if (this.#fate !== undefined) this.#answers.push(null);
  }

  async #greet(): Promise<string | undefined> {
    const response = await fetch(this.#url, this.#request({ method: "GET" }));
    const bytes = await this.#bytesOf(response), body = decoder.decode(bytes);
    if (!response.ok || !/"dpcheck"\s*:/.test(body)) return undefined;
    if (/"binary"\s*:/.test(body)) return "offers binary answers, which a URL cannot give";
    this.#push(bytes);
    return undefined;
  }

  async #post(line: string): Promise<string | undefined> {
    const headers = { "content-type": "application/json" };
    const response = await fetch(
      this.#url,
      this.#request({ method: "POST", headers, body: line }),
    );
    const bytes = await this.#bytesOf(response);
    if (!response.ok) {
      const body = decoder.decode(bytes);
      return `answered with status ${response.status}${body === "" ? "" : ` ${quotedEnd(body)}`}`;
    }
    this.#push(bytes);
    return undefined;
  }

  /** Returns the body, as long as it may be: one without an end is not read to the end. */
  async #bytesOf({ body }: Response): Promise<Uint8Array> {
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

  /** Datasets go to this address and to no other. */
  #request(init: RequestInit): RequestInit {
    this.#ending = new AbortController();
    return { ...init, redirect: "error", signal: this.#ending.signal };
  }
}

/** Returns the innermost reason: that of `fetch` is "fetch failed". */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message !== "" ? cause.message : message;
}
