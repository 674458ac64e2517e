import { existsSync } from "node:fs";
import type { Command } from "commander";
import { type Claim, claimToJSON, describeClaim } from "../../lib/core/claims/claim.ts";
import { claimFromJSON } from "../../lib/core/claims/claim_json.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../lib/core/relations/relation.ts";
import { openLedger } from "../../lib/dp/accounting/budget/ledger.ts";
import { BadInput, reading } from "../options/bad_input.ts";
import { ledgerLines } from "../options/ledger_file.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";
import { writeOutput } from "../output/write_output.ts";

/** Defines `dpcheck budget`. */
export function defineBudget(command: Command, done: Done): void {
  command
    .argument("<LEDGER>", "a file of dpcheck ask, or of openLedger")
    .option("--json <file>", "as JSON; - for standard output")
    .action((ledger: string, { json }: { readonly json?: string }) => {
      const { limit, remaining, spent } = readLedger(ledger);
      if (json === undefined) {
        console.log([
          ...inColumns(spent.map((each) => [
            each.at,
            describeClaim(each.claim),
            each.purpose?.replaceAll(/\p{Cc}/gu, " ") ?? "(not written down)",
          ])),
          `limit ${describeClaim(limit)} (${limit.relation.name}), left ${
            describeClaim(remaining)
          }`,
        ].join("\n"));
      } else {
        const lines = spent.map(({ at, claim, purpose }) => ({
          at,
          ...(purpose !== undefined && { for: purpose }),
          ...claimToJSON(claim),
        }));
        const report = { limit: claimToJSON(limit), left: claimToJSON(remaining), spent: lines };
        writeOutput("--json", json, `${JSON.stringify(report, null, 2)}\n`);
      }
      done(ExitStatus.notRefuted);
    });
}

interface Spent {
  readonly at: string;
  readonly claim: Claim;
  /** The question; lines of former versions have none. */
  readonly purpose: string | undefined;
}

interface ReadLedger {
  readonly limit: Claim;
  readonly remaining: Claim;
  readonly spent: readonly Spent[];
}

function readLedger(file: string): ReadLedger {
  if (!existsSync(file)) {
    throw new BadInput(
      `${file} is not there: dpcheck ask makes it with the first answer that is paid`,
    );
  }
  return reading("LEDGER", file, () => {
    const lines = ledgerLines(file).flatMap(recordOf);
    const { ledger, host, slack, ...claim } = lines[0] ?? {};
    if (ledger === undefined) throw new TypeError("it must be a ledger that dpcheck wrote");
    const name = String(claim.relation);
    const relation: Relation = [addRemoveOne, replaceOne].find((each) => each.name === name) ??
      { ...addRemoveOne, name };
    const limit = claimFromJSON(claim, { relation });
    const budget = openLedger(file, {
      limit,
      ...(typeof host === "string" && { host }),
      ...(typeof slack === "number" && { slack }),
    });
    const refused = new Set(lines.map((line) => line.refused));
    const spent = lines.filter(({ spend }) => spend !== undefined && !refused.has(spend));
    return {
      limit,
      remaining: budget.remaining,
      spent: spent.map(({ at, for: purpose, spend: _, charged: _charged, ...line }) => ({
        at: String(at),
        claim: claimFromJSON(line, { relation }),
        purpose: typeof purpose === "string" ? purpose : undefined,
      })),
    };
  });
}

/** Lines of cells, each column as wide as its widest cell. */
function inColumns(lines: readonly (readonly string[])[]): string[] {
  const widths = lines[0]?.map((_, i) => Math.max(...lines.map((line) => line[i]!.length))) ?? [];
  return lines.map((line) => line.map((cell, i) => cell.padEnd(widths[i]!)).join("  ").trimEnd());
}

/** A line that is whole; one that a process was killed over counts nothing. */
function recordOf(line: string): Record<string, unknown>[] {
  try {
    const record = JSON.parse(line) as unknown;
    return typeof record === "object" && record !== null ? [record as Record<string, unknown>] : [];
  } catch {
    return [];
  }
}
