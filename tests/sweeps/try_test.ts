import { ermSweeps } from "./families/erm_sweeps.ts";
for (const { name, run } of [...ermSweeps]) {
  Deno.test(`${name}`, () => {
    const { cases, most } = run();
    console.log(`${name}: ${cases} cases, at most ${most} of the claim`);
  });
}
