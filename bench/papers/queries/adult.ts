/** Fields of a row of Adult that are used: numbers as they are. */
export interface Person {
  readonly age: number;
  /** Years of education, 1 to 16. */
  readonly education: number;
  /** Hours a week. */
  readonly hours: number;
  /** True if the marital status begins so. */
  readonly married: boolean;
  /** True if the income is above 50K. */
  readonly rich: boolean;
}

/** The rows of Adult, from `adult.data` under the directory of the data sets. */
export async function readAdult(directory: string): Promise<Person[]> {
  const { body } = new Response(await Deno.readFile(`${directory}/adult/adult.data.gz`));
  const text = await new Response(body!.pipeThrough(new DecompressionStream("gzip"))).text();
  return text.split("\n").map((line) => line.split(", ")).filter(({ length }) => length === 15)
    .map((columns) => ({
      age: Number(columns[0]),
      education: Number(columns[4]),
      married: columns[5]!.startsWith("Married"),
      hours: Number(columns[12]),
      rich: columns[14]!.startsWith(">"),
    }));
}
