import { learnerSweeps } from "./every_sweep.ts";
import { LONG } from "../long.ts";

for (const { name, run } of learnerSweeps) {
  Deno.test(`${name} keeps its claim, refuses first and keeps its form, at all options`, () => {
    const { cases, most } = run();
    if (LONG) console.log(`${name}: ${cases} cases, at most ${most} of the claim`);
  });
}
