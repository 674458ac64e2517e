const encoder = new TextEncoder();
/** Bytes of ASCII characters. */
const ZERO = 48, COMMA = 44;

/**
 * The lines that ask a program for outputs on two datasets. The length of a line does not depend on the coins in it: the number
 * of bytes in a pipe must not reveal the coins that are to come.
 */
export class RequestLines {
  readonly #json: readonly [string, string];
  /** Spaces that make the lines of both datasets of equal length. */
  readonly #padding: readonly [string, string];
  /** Bytes of the longer dataset. */
  readonly size: number;

  /** Asks about two datasets, given as JSON. */
  constructor(left: string, right: string) {
    const sizes = [left, right].map((json) => encoder.encode(json).length) as [number, number];
    this.size = Math.max(...sizes);
    this.#json = [left, right];
    this.#padding = [" ".repeat(this.size - sizes[0]), " ".repeat(this.size - sizes[1])];
  }

  /**
   * Returns the first request, of one output. A program may send its first line, which tells whether it takes orders, after it has read
   * a request: so this request has both forms.
   */
  first(id: number, side: 0 | 1): string {
    const [left, right] = this.#json;
    const both = `"datasets":[${left},${right}],"order":[${side}]`;
    return `{"id":${id},"data":${this.#json[side]},"count":1,${both}}${this.#padding[side]}\n`;
  }

  /** Returns a request of `count` outputs on one side. */
  block(id: number, { side, count }: { side: 0 | 1; count: number }): string {
    return `{"id":${id},"data":${this.#json[side]},"count":${count}}${this.#padding[side]}\n`;
  }

  /** Returns true if these ask about the same datasets, on the same sides. */
  isAboutTheSame(other: RequestLines): boolean {
    return this.#json.every((own, side) => own === other.#json[side]);
  }

  /** Returns a request of outputs in this order. The datasets are left out where the program remembers them. */
  ordered(
    id: number,
    order: Uint8Array,
    { isRemembered = false }: { readonly isRemembered?: boolean } = {},
  ): Uint8Array<ArrayBuffer> {
    const [left, right] = this.#json;
    const datasets = isRemembered ? "" : `"datasets":[${left},${right}],`;
    const head = encoder.encode(`{"id":${id},${datasets}"order":[`);
    const line = new Uint8Array(head.length + 2 * order.length + 2);
    line.set(head);
    let at = head.length;
    for (let i = 0; i < order.length; i++) {
      line[at++] = ZERO + order[i]!;
      line[at++] = COMMA;
    }
    // In place of the last comma.
    line.set(encoder.encode("]}\n"), at - 1);
    return line;
  }
}
