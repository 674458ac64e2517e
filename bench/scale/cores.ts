/**
 * Seconds of a whole audit with a full budget by the number of workers, as a user runs it: search, start of threads and all. The numbers take
 * turns, so that what else the machine does hits all alike; the verdict and the bound must be the same.
 *
 * Usage: `deno task bench cores [--draws 400000000,2000000000] [--workers 1,2] [--rounds 5] [--mechanism laplace]`
 */
import { median } from "../median.ts";
import { option } from "../option.ts";

const budgets = (option("draws") ?? "400000000,2000000000").split(",").map(Number);
const workers = (option("workers") ?? "1,2").split(",").map(Number);
const rounds = Number(option("rounds") ?? "5"), mechanism = option("mechanism") ?? "laplace";

async function run(draws: number, workers: number): Promise<{ seconds: number; shown: string }> {
  const folder = await Deno.makeTempDir(), begun = performance.now();
  try {
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--allow-read", "--allow-write", "--allow-env", "--allow-sys", "cli/main.ts"],
        ...["audit", "--mechanism", mechanism, "--epsilon", "1", "--full-budget", "--no-shrink"],
        ...["--max-draws", `${draws}`, "--workers", `${workers}`, "--seed", "1", "--quiet"],
        ...["--checkpoint", `${folder}/kept.jsonl`, "--json", "-"],
      ],
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    const { verdict, epsilonLowerBound } = JSON.parse(new TextDecoder().decode(stdout));
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, shown: `${verdict}, ε ≥ ${epsilonLowerBound}` };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

console.log("| draws | workers | seconds, median | least | most | times as fast | load |");
console.log("| ----: | ------: | --------------: | ----: | ---: | ------------: | ---: |");
for (const draws of budgets) {
  const seconds = workers.map((): number[] => []), shown = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    for (const [at, count] of workers.entries()) {
      const result = await run(draws, count);
      seconds[at]!.push(result.seconds);
      shown.add(result.shown);
    }
  }
  if (shown.size > 1) throw new Error(`The results differ: ${[...shown].join("; ")}`);
  workers.forEach((count, at) => {
    const own = seconds[at]!;
    const cells = [median(own), Math.min(...own), Math.max(...own)].map((x) => x.toFixed(2));
    const ratio = (median(seconds[0]!) / median(own)).toFixed(2);
    const [load] = Deno.loadavg();
    console.log(`| ${[draws, count, ...cells, ratio, load!.toFixed(1)].join(" | ")} |`);
  });
}
