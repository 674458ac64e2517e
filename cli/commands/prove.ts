import type { ProveArguments } from "../options/prove_arguments.ts";
import type { Command } from "commander";
import { KINDS } from "../../proofs/engine/kinds.ts";
import type { Done } from "../output/exit_status.ts";

/** Defines `dpcheck prove`. */
export function defineProve(command: Command, done: Done): void {
  command
    .argument("[ids...]", "theorems, or folders of them, such as mechanisms or erm/lemma_7")
    .option("--list", "only list them")
    .option("--book", "print them as a book to be read, chapter by chapter, and check nothing")
    .option("--kind <kind>", `only those of one kind: ${Object.keys(KINDS).join(", ")}`)
    .option("--seed <n>", "seed of the random choices")
    .option(
      "--json <file>",
      "write all results as JSON, or with --list the list; with -, to standard output",
    )
    .option("--markdown <file>", "write them as a Markdown page")
    .option("--html <file>", "write them as one self-contained HTML page")
    .option(
      "--trusted",
      "print the files that audits rest on, what each is trusted for, and their SHA-256",
    )
    .action(async (ids: string[], options: ProveArguments) => {
      if (options.trusted === true) {
        const { printTrusted } = await import("./print_trusted.ts");
        return done(printTrusted(ids, options));
      }
      const { runProve } = await import("./run_prove.ts");
      done(await runProve(ids, options));
    });
}
