const decoder = new TextDecoder("windows-1252");

/** The characters of the bytes 0x80 to 0x9F, which Node before 22 reads as Latin-1 controls; the five that have none stay controls. */
const MARKS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Reads bytes as Windows-1252, the same in every runtime. */
export function textOfWindows1252(bytes: Uint8Array): string {
  return decoder.decode(bytes).replaceAll(
    /[\x80-\x9f]/g,
    (control) => MARKS[control.charCodeAt(0) - 0x80]!,
  );
}
