import type { ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { programSource } from "../../../core/random/program_source.ts";
import { SplitLabels } from "../../../core/random/split_labels.ts";
import { SubjectFailure } from "../kernel/subject.ts";

/**
 * The source of a subject, for one output after the other. Draws go on in one stream; `split` gives each label a stream of
 * its own in each output. Without that a seeded source would give every output the same noise.
 */
export class OutputSources {
  /** What the subject is handed for each output. */
  readonly draws: ProgramSource;
  /** The same for blocks of outputs, without further draws as methods. */
  readonly words: Source;
  readonly #name: string;
  readonly #source: Source;
  readonly #labels = new SplitLabels();
  #output = 0;
  #failure: SubjectFailure | undefined;

  /** Begins before the first output of the subject of this name. */
  constructor(name: string, source: Source) {
    this.#name = name;
    this.#source = source;
    this.draws = { ...programSource(source), split: (label) => programSource(this.#top(label)) };
    this.words = {
      kind: source.kind,
      uint32: () => source.uint32(),
      uniform: () => source.uniform(),
      fillUint32: (out) => source.fillUint32(out),
      split: (label) => this.#top(label),
    };
  }

  /** Goes to the next output, or the next block of outputs. */
  begin(): void {
    this.#output++;
    this.#labels.begin();
  }

  /** @throws {SubjectFailure} when the last output used a label twice, even if the subject has caught the error. */
  requireDifferentLabels(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #top(label: string | number): Source {
    return this.#split(this.#source.split(`output ${this.#output}`), "", label);
  }

  #split(parent: Source, path: string, label: string | number): Source {
    const own = this.#labels.take(path, label, (reason): never => {
      throw this.#failure = new SubjectFailure(`${this.#name} cannot be drawn from: ${reason}`);
    });
    const child = parent.split(label);
    return {
      kind: child.kind,
      uint32: () => child.uint32(),
      uniform: () => child.uniform(),
      fillUint32: (out) => child.fillUint32(out),
      split: (inner) => this.#split(child, own, inner),
    };
  }
}
