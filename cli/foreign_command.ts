import process from "node:process";
import { createInterface } from "node:readline/promises";
import type { AuditArguments } from "./audit_arguments.ts";
import { BadInput } from "./bad_input.ts";

/** The subject of an audit as the option that names it. */
export function shownSubject({ mechanism, module, exec, url }: AuditArguments): string {
  if (exec !== undefined) return `--exec ${JSON.stringify(exec)}`;
  if (module !== undefined) return `--module ${JSON.stringify(module)}`;
  if (url !== undefined) return `--url ${JSON.stringify(url)}`;
  return `--mechanism ${mechanism}`;
}

/**
 * Asks at the terminal whether what `statement` says may be done, unless `yes` says so already.
 *
 * @throws {BadInput} when it may not, or there is no terminal to ask at.
 */
export async function confirmedByUser(
  statement: string,
  { yes }: { readonly yes: boolean },
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new BadInput(`${statement}: give it again, or --yes`);
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asking.question(`dpcheck: ${statement}. Go on? [y/N] `);
  asking.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new BadInput(`${statement}: not confirmed`);
}
