/** Numbers after which they are put among the others. */
const MOST_FRESH = 2 ** 16;

/** Counts of the cells of a grid: memory is by different cells, and not by rows. */
export class CellCounts {
  /** Cells that came since the last call of {@linkcode CellCounts.settle}. */
  #fresh: number[] = [];
  #many: [cell: number, count: number][] = [];
  /** All others, each once and sorted, and how many rows are in it and those before it. */
  #cells = new Float64Array(0);
  #ends = new Float64Array(0);

  /** One row more. */
  add(cell: number): void {
    if (this.#fresh.push(cell) === MOST_FRESH) this.settle();
  }

  /** So many rows more: of cells that were not added before, each once. */
  addMany(cell: number, count: number): void {
    this.#many.push([cell, count]);
  }

  /** The number of rows. */
  get size(): number {
    return this.#ends.at(-1) ?? 0;
  }

  /** Counts the rows in cells below one. All must be settled. */
  below(cell: number): number {
    let from = 0, to = this.#cells.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#cells[middle]! < cell) from = middle + 1;
      else to = middle;
    }
    return from === 0 ? 0 : this.#ends[from - 1]!;
  }

  /** The cell of each row, sorted. All must be settled. */
  rows(): Float64Array {
    const rows = new Float64Array(this.size);
    this.#cells.forEach((cell, i) => rows.fill(cell, this.#ends[i - 1] ?? 0, this.#ends[i]!));
    return rows;
  }

  /** Puts the cells that came among the others. */
  settle(): void {
    if (this.#many.length > 0) {
      const many = this.#many.sort(([one], [other]) => one - other);
      let sum = 0;
      this.#cells = Float64Array.from(many, ([cell]) => cell);
      this.#ends = Float64Array.from(many, ([, count]) => sum += count);
      this.#many = [];
      return;
    }
    const fresh = Float64Array.from(this.#fresh).sort(), old = this.#cells, ends = this.#ends;
    const cells = new Float64Array(old.length + fresh.length), all = new Float64Array(cells.length);
    let count = 0;
    for (let i = 0, k = 0; i < old.length || k < fresh.length; count++) {
      const cell = Math.min(old[i] ?? Infinity, fresh[k] ?? Infinity);
      if (old[i] === cell) i++;
      while (fresh[k] === cell) k++;
      cells[count] = cell;
      all[count] = (ends[i - 1] ?? 0) + k;
    }
    this.#fresh = [];
    this.#cells = cells.slice(0, count);
    this.#ends = all.slice(0, count);
  }
}
