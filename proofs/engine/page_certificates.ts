import type { Certificate } from "./theorem.ts";

/** The most characters of a certificate that a page shows: longer ones are for programs alone. */
const MOST_CHARACTERS = 8000;

/** Those certificates that are short enough for a page. */
export class PageCertificates {
  readonly all: Certificate[] = [];
  readonly #checker: Certificate["checker"];

  /** Certificates that this script checks. */
  constructor(checker: Certificate["checker"]) {
    this.#checker = checker;
  }

  /** Adds a certificate, unless it is too long. */
  add(name: string, text: string): void {
    if (text.length <= MOST_CHARACTERS) this.all.push({ name, text, checker: this.#checker });
  }
}
