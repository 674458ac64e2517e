import { bayesSweeps } from "./families/bayes_sweeps.ts";
import { aggregateSweeps } from "./families/aggregate_sweeps.ts";
for (const { name, run } of [...bayesSweeps, ...aggregateSweeps]) {
  Deno.test(`${name}`, () => {
    const { cases, most } = run();
    console.log(`${name}: ${cases} cases, at most ${most} of the claim`);
  });
}
