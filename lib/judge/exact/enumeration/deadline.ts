/** An enumeration took longer than it may. */
export class OutOfTime extends Error {
  /** @param datasets on which the program was run until then. */
  constructor(readonly datasets: number) {
    super("enumeration out of time");
  }
}

/** When an enumeration must end. */
export class Deadline {
  readonly #end: number;

  /** So many seconds from now. */
  constructor(seconds: number) {
    this.#end = performance.now() + seconds * 1000;
  }

  /** @throws {OutOfTime} after the deadline, with the number of datasets on which the program was run. */
  require({ datasets }: { readonly datasets: number }): void {
    if (performance.now() > this.#end) throw new OutOfTime(datasets);
  }
}
