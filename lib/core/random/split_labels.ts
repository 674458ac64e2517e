/**
 * The labels by which a program has split its source in the current output. A label stands for one stream, so that the
 * same label twice in one output would give the same noise twice.
 */
export class SplitLabels {
  readonly #used = new Set<string>();

  /** Forgets all labels: the next output begins. */
  begin(): void {
    if (this.#used.size > 0) this.#used.clear();
  }

  /**
   * Takes a label of the source at `path`.
   *
   * @param refuse called with the reason when the label was taken before.
   * @returns the path of the source that the label makes.
   */
  take(path: string, label: string | number, refuse: (reason: string) => never): string {
    const own = `${path}/${typeof label} ${JSON.stringify(String(label))}`;
    if (this.#used.has(own)) {
      refuse(
        `it splits its source twice by the label ${
          JSON.stringify(label)
        } in one output, which would draw the same noise twice: give each split a label of its own`,
      );
    }
    this.#used.add(own);
    return own;
  }
}

/** The same source, whose draws go on in one stream, with another `split`. */
export function withSplit<Source extends object>(
  source: Source,
  split: (label: string | number) => Source,
): Source {
  return new Proxy(source, {
    get(target, name): unknown {
      if (name === "split") return split;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
