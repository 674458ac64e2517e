/** Fields of a row of Adult that are used: numbers as they are, the others by their names. */
export interface Person {
  readonly age: number;
  /** Years of education, 1 to 16. */
  readonly education: number;
  /** Hours a week. */
  readonly hours: number;
  readonly maritalStatus: string;
  /** True if the marital status begins so. */
  readonly married: boolean;
  readonly relationship: string;
  readonly sex: string;
  /** True if there is a capital gain. */
  readonly gain: boolean;
  /** True if the income is above 50K. */
  readonly rich: boolean;
}

/** The rows of Adult, from `adult.data` or `adult.test` under the directory of the data sets. */
export async function readAdult(
  directory: string,
  file: "adult.data" | "adult.test" = "adult.data",
): Promise<Person[]> {
  const { body } = new Response(await Deno.readFile(`${directory}/adult/${file}.gz`));
  const text = await new Response(body!.pipeThrough(new DecompressionStream("gzip"))).text();
  return text.split("\n").map((line) => line.split(", ")).filter(({ length }) => length === 15)
    .map((columns) => ({
      age: Number(columns[0]),
      education: Number(columns[4]),
      maritalStatus: columns[5]!,
      married: columns[5]!.startsWith("Married"),
      relationship: columns[7]!,
      sex: columns[9]!,
      gain: Number(columns[10]) > 0,
      hours: Number(columns[12]),
      rich: columns[14]!.startsWith(">"),
    }));
}
