/** Returns the text of bytes, or `undefined` where they are no UTF-8. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

// What marks the order of bytes at the beginning of a file is text elsewhere.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
