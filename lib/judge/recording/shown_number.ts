/** Returns a number in a sentence: some digits of it. */
export function shownNumber(value: number, digits = 3): string {
  return String(Number(value.toPrecision(digits)));
}
