/** Returns a text of JSON in which marks, `\\u0001` and a number, stand for values, with values in their place. */
export function jsonOf(template: string, valueOf: (mark: string) => unknown): string {
  return template.replaceAll(
    /"\\u0001(\d+)"/g,
    (text, number) => {
      const value = valueOf(`\u0001${number}`);
      return value === undefined ? text : JSON.stringify(value);
    },
  );
}
