import { run } from "./run_steps.ts";

// Writes the archive of the R package to out/r: adapters/r/package with the adapter and what watches noise.

const root = new URL("../", import.meta.url).pathname;
const out = `${root}out/r`, folder = `${out}/dpcheck`;
await Deno.remove(out, { recursive: true }).catch(() => {});
await Deno.mkdir(out, { recursive: true });
await run("cp", ["-r", `${root}adapters/r/package`, folder], root);
await Deno.mkdir(`${folder}/inst`);
await run("cp", ["-r", `${root}adapters/r/recording`, `${folder}/inst/recording`], root);
await Deno.copyFile(`${root}adapters/r/dpcheck.R`, `${folder}/R/dpcheck.R`);
await Deno.copyFile(`${root}LICENSE`, `${folder}/LICENSE`);
await run("R", ["CMD", "build", "dpcheck"], out);
console.log(out);
