/** The document of a text. */
export function parse(text: string): unknown;
/** The documents of a text. */
export function parseAll(text: string): unknown;
