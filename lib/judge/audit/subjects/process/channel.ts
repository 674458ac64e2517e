import type { ByteReader } from "./byte_reader.ts";

/** Where request lines go, and where their answers come from. */
export interface Channel {
  /** The form of answers: lines, or blocks of doubles. */
  readonly output: ByteReader;
  /** Whether all lines go to one process, which may remember what an earlier one said. */
  readonly isOneProgram: boolean;
  /** Queues request lines. A line that cannot be sent is reported when its answer is read. */
  write(lines: Uint8Array): void;
  /** Says why there are no more answers, as in "ended with exit status 1". */
  fate(): Promise<string>;
  /** Returns the end of what was said beside the answers; "" where that is nothing. */
  errorTail(): Promise<string>;
  /** Ends it; `broken` says that it will not end by itself. */
  end(options: { readonly broken: boolean }): Promise<void>;
}
