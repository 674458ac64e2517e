import { run } from "./run_steps.ts";

// Writes a wheel and an archive of the Python package to out/python. They carry the npm packages and what they need, so that the command is
// there where Node is. npm fetches what the package needs; it sends nothing.

const root = new URL("../", import.meta.url).pathname;
const out = `${root}out/python`, sources = await Deno.makeTempDir();
/** Ends of names of what Node does not load. */
const NOT_LOADED = [".ts", ".mts", ".cts", ".map", ".md", ".flow"];

await run(Deno.execPath(), ["task", "--quiet", "build", "npm"], root);
const folders = ["dp", "dpcheck"].map((name) => `${root}out/npm/${name}`);
const packed = JSON.parse(await run("npm", ["pack", "--json", ...folders], sources)) as {
  filename: string;
}[];
const node = `${sources}/package/dpcheck/node`;
await run("cp", ["-r", `${root}adapters/python`, `${sources}/package`], root);
await Deno.mkdir(node);
await Deno.writeTextFile(`${node}/package.json`, "{}\n");
await run("npm", [
  ...["install", "--no-audit", "--no-fund", "--no-save", "--omit=dev", "--omit=peer"],
  ...packed.map(({ filename }) => `${sources}/${filename}`),
], node);
await Deno.remove(`${node}/node_modules/.bin`, { recursive: true });
await prune(node);
await Deno.remove(out, { recursive: true }).catch(() => {});
await Deno.mkdir(out, { recursive: true });
const text = `import wheel_backend as w; print(w.build_wheel(${
  JSON.stringify(out)
}), w.build_sdist(${JSON.stringify(out)}))`;
console.log(`${out}: ${(await run("python3", ["-B", "-c", text], `${sources}/package`)).trim()}`);
await Deno.remove(sources, { recursive: true });

/** Removes what Node does not load. */
async function prune(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) await prune(`${folder}/${name}`);
    else if (NOT_LOADED.some((end) => name.endsWith(end))) await Deno.remove(`${folder}/${name}`);
  }
}
