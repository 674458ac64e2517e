import { type Program, runProgram } from "./run_program.ts";

/** Targets of `deno task build NAME`. */
export const BUILDS: Readonly<Record<string, Program>> = {
  "jsr": {
    file: "scripts/build_jsr.ts",
    about: "What JSR publishes, to out/jsr: the library and the command line as one package",
    permissions: ["--allow-write", "--allow-run"],
  },
  "kernels": {
    file: "scripts/build_kernels.ts",
    about: "The WebAssembly kernels, from their AssemblyScript sources",
    permissions: ["--allow-write"],
  },
  "npm": {
    file: "scripts/build_npm.ts",
    about:
      "The npm packages, to out/npm/dp and out/npm/dpcheck: JavaScript, types, the command line",
    permissions: ["--allow-write", "--allow-run", "--allow-sys"],
  },
  "proofs": {
    file: "scripts/write_proofs_readme.ts",
    about: "proofs/README.md, from the book of statements",
    permissions: ["--allow-write"],
  },
  "python": {
    file: "scripts/build_python.ts",
    about: "A wheel and an archive for Python, to out/python; they carry the npm package",
    permissions: ["--allow-write", "--allow-run"],
  },
  "r": {
    file: "scripts/build_r.ts",
    about: "The archive of the R package, to out/r",
    permissions: ["--allow-write", "--allow-run"],
  },
  "reference": {
    file: "scripts/write_reference.ts",
    about:
      "out/reference: a page for each entry point, from its comments, and one for each theorem",
    permissions: ["--allow-write", "--allow-run", "--allow-sys"],
  },
  "errors": {
    file: "cli/output/write_errors_page.ts",
    about: "docs/errors.md, from the list of error codes",
    permissions: ["--allow-write"],
  },
  "schema": {
    file: "cli/entries/write_schema.ts",
    about:
      "docs/dpcheck.schema.json and docs/table.schema.json, from the types of suite files and schemas",
    permissions: ["--allow-write", "--allow-run", "--allow-sys"],
  },
  "site": {
    file: "site/build.ts",
    about:
      "out/site: the pages of docs, the reference and the theorems as a site with a search [ADDRESS of the repository's files]",
    permissions: ["--allow-write", "--allow-run", "--allow-sys"],
  },
};

if (import.meta.main) await runProgram("build", BUILDS);
