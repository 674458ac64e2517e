import { sulqSweeps } from "./families/sulq_sweeps.ts";
import { sulqLearnerSweeps } from "./families/sulq_learner_sweeps.ts";
for (const { name, run } of [...sulqSweeps, ...sulqLearnerSweeps]) {
  Deno.test(`${name}`, () => {
    const { cases, most } = run();
    console.log(`${name}: ${cases} cases, at most ${most} of the claim`);
  });
}
