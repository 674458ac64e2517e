/** Writes texts in a colour of terminals, or as they are. */
export function painter(color: boolean): (text: string, code: number) => string {
  return (text, code) => color ? `\x1b[${code}m${text}\x1b[0m` : text;
}
