import { existsSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { type Claim, describeClaim } from "../../lib/core/claims/claim.ts";
import { approximate, pure, zcdp } from "../../lib/core/claims/claim_of_amounts.ts";
import { claimFromJSON } from "../../lib/core/claims/claim_json.ts";
import type { Relation } from "../../lib/core/relations/relation.ts";
import type { Budget } from "../../lib/dp/accounting/budget/budget.ts";
import { openLedger } from "../../lib/dp/accounting/budget/ledger.ts";
import type { TableFile } from "../../lib/dp/schema/table_file.ts";
import { personRelation } from "../../lib/dp/tables/mod.ts";
import { BadInput } from "./bad_input.ts";
import { reasonOf } from "./reason_of.ts";
import { protectedBy } from "./schema_file.ts";

/** A ledger that an option names, and the schema whose limit it keeps. */
interface NamedLedger {
  readonly ledger: string;
  readonly schema: TableFile;
  readonly schemaFile: string;
  /** The machine that the ledger names. Default: this one. */
  readonly host?: string | undefined;
}

/** Opens a ledger for the table of a schema. @throws {BadInput} where it is about something else, with what to do. */
export function ledgerOf({ ledger, schema, schemaFile, host }: NamedLedger): Budget {
  if (!existsSync(dirname(ledger))) {
    throw new BadInput(
      `--ledger ${ledger} must be in a folder that is there: ${dirname(ledger)} is not`,
    );
  }
  const relation = relationOf(schema, schemaFile);
  const limit = limitOf(schema, { relation, ledger, schemaFile, host: host ?? hostname() });
  return openLedger(ledger, { limit, ...(host !== undefined && { host }) });
}

/** The relation that a schema declares. @throws {BadInput} where it does not say what is protected. */
function relationOf(schema: TableFile, file: string): Relation {
  if (schema.unit === undefined) {
    throw new BadInput(
      `--schema ${file} must say what is protected: "unit": "row", or "unit": {"person": "the column that names persons"}`,
    );
  }
  const { relation, person } = protectedBy(schema);
  return person === undefined ? relation : personRelation({ column: person, relation });
}

/** The limit of the ledger that is there, or of the schema. @throws {BadInput} where they differ, with what to do. */
function limitOf(
  { limit }: TableFile,
  { relation, ledger, schemaFile, host }: {
    readonly relation: Relation;
    readonly ledger: string;
    readonly schemaFile: string;
    readonly host: string;
  },
): Claim {
  const declared = limit === undefined ? undefined : claimOf(limit, relation, schemaFile);
  const before = existsSync(ledger) ? headerOf(ledger) : undefined;
  if (before === undefined) {
    if (declared !== undefined) return declared;
    throw new BadInput(
      `--schema ${schemaFile} must say what all answers may lose, as in "limit": {"epsilon": 1}, for --ledger ${ledger} is not there yet`,
    );
  }
  if (before.relation !== relation.name) {
    throw new BadInput(
      `--ledger ${ledger} is about ${before.relation}, and --schema ${schemaFile} about ${relation.name}: give another ledger, or the schema that the ledger was begun with`,
    );
  }
  if (typeof before.host === "string" && before.host !== host) {
    throw new BadInput(
      `--ledger ${ledger} was made on ${before.host}, and this is ${host}: ask there, for two machines that append to one file overwrite each other; ` +
        `where the file was moved here for good, add --host ${before.host}`,
    );
  }
  let opened: Claim;
  try {
    const { ledger: _, host: _host, slack: _slack, ...claim } = before;
    opened = claimFromJSON(claim, { relation });
  } catch (error) {
    throw new BadInput(`--ledger ${ledger} is no ledger: ${reasonOf(error)}`);
  }
  if (declared !== undefined && describeClaim(declared) !== describeClaim(opened)) {
    throw new BadInput(
      `--ledger ${ledger} was begun with a limit of ${
        describeClaim(opened)
      }, and --schema ${schemaFile} says ${
        describeClaim(declared)
      }: write the first in the schema, or begin another ledger`,
    );
  }
  return opened;
}

/**
 * Returns the lines of a ledger.
 *
 * @throws {TypeError} for what is no file: pipes and devices may have no end.
 */
export function ledgerLines(file: string): string[] {
  if (!statSync(file).isFile()) throw new TypeError("it must be a ledger that dpcheck wrote");
  return readFileSync(file, "utf8").split("\n");
}

function headerOf(ledger: string): Record<string, unknown> {
  try {
    // Each append begins with a line end: a line that was torn before takes none with it.
    const first = ledgerLines(ledger).find((line) => line.trim() !== "");
    const header = JSON.parse(first ?? "") as unknown;
    if (typeof header === "object" && header !== null && "ledger" in header) {
      return header as Record<string, unknown>;
    }
  } catch {
    // It is said below.
  }
  throw new BadInput(`--ledger ${ledger} must be a ledger that dpcheck wrote, or not be there yet`);
}

function claimOf(
  { epsilon, delta, rho }: NonNullable<TableFile["limit"]>,
  relation: Relation,
  file: string,
): Claim {
  if (rho !== undefined && epsilon === undefined && delta === undefined) {
    return zcdp({ rho, relation });
  }
  if (epsilon !== undefined && rho === undefined) {
    return delta === undefined
      ? pure({ epsilon, relation })
      : approximate({ epsilon, delta, relation });
  }
  throw new BadInput(`--schema ${file}: limit must have epsilon, epsilon and delta, or rho`);
}
