import { type Kernels, takeBytes } from "./kernels.ts";

/**
 * Room in the kernels' memory for the tables of a few owners at a time: those of an owner are written when it is asked for, in
 * place of another one's when there is no room.
 */
export class TableSlots<Owner extends object> {
  readonly #bytes: number;
  readonly #write: (owner: Owner, memory: ArrayBuffer, address: number) => void;
  readonly #owners: (Owner | undefined)[];
  readonly #slots = new WeakMap<Owner, number>();
  #address: number | undefined;
  #next = 0;

  /** For tables of so many bytes, which `write` writes to an address. */
  constructor(
    { bytes, slots, write }: {
      readonly bytes: number;
      readonly slots: number;
      readonly write: (owner: Owner, memory: ArrayBuffer, address: number) => void;
    },
  ) {
    this.#bytes = bytes;
    this.#write = write;
    this.#owners = new Array(slots).fill(undefined);
  }

  /** The address of the tables of an owner; `undefined` when the memory has no room for any. */
  addressOf(owner: Owner, own: Kernels): number | undefined {
    const known = this.#slots.get(owner);
    if (known !== undefined && this.#owners[known] === owner) {
      return this.#address! + known * this.#bytes;
    }
    this.#address ??= takeBytes(own, this.#owners.length * this.#bytes);
    if (this.#address === undefined) return undefined;
    const slot = this.#next;
    this.#next = (slot + 1) % this.#owners.length;
    this.#owners[slot] = owner;
    this.#slots.set(owner, slot);
    const address = this.#address + slot * this.#bytes;
    this.#write(owner, own.memory, address);
    return address;
  }
}
