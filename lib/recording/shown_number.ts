/** A number in a sentence: three digits of it. */
export function shownNumber(value: number): string {
  return String(Number(value.toPrecision(3)));
}
