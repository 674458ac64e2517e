import { hostname } from "node:os";
import { type Claim, claimToJSON } from "../../../core/claims/claim.ts";
import { claimFromJSON } from "../../../core/claims/claim_json.ts";
import { requireKnown } from "../../../core/text/known_options.ts";
import { type Rational, rational, subtract } from "../../../core/numeric/rational.ts";
import { requireFields, requireKind } from "../../../core/numeric/require.ts";
import { type Budget, doesNotFit, type SpendAllOptions } from "./budget.ts";
import type { SpendOptions } from "../../../core/mechanism/budget.ts";
import { lossesOf } from "../loss_distribution/known_losses.ts";
import { type LedgerRecord, RecordFile } from "./record_file.ts";
import type { FilterOptions } from "./privacy_filter.ts";
import { type Amounts, pricesUnder } from "./prices.ts";

/** Options of {@linkcode openLedger}. */
export interface LedgerOptions extends FilterOptions {
  /** Claim that all spent claims together must satisfy. For an existing file it must be the limit that the file was opened with. */
  readonly limit: Claim;
  /**
   * Name of this machine. Default: its host name. Give a name of your own where that changes from run to run, as in containers.
   */
  readonly host?: string;
}

/** Longer words for what is spent are cut. */
const LONGEST_PURPOSE = 500;

/** One spend of the file. */
interface Spend {
  readonly claim: Claim;
  readonly cost: Amounts;
  /** True if it fitted beside everything spent before it in the file. */
  readonly fits: boolean;
}

/**
 * Opens a budget that lasts: what is spent is a line of a file, which is shared by all processes of one machine that open it and is there
 * after each of them. It is an {@linkcode openBudget} to whatever spends from it. A line says when it was written, what was spent and, in public words, for which question.
 *
 * A spend is written in one append and flushed to the disk, and the file read again, before `spend` returns and noise is drawn. It holds
 * if it fits beside **every** line before it. So the releases that were drawn never pass the limit, whatever processes do at the same time
 * or wherever they are killed: the last one in the file counted all others. There is no lock that a dead process could leave behind. A process that is killed between spending and
 * drawing has spent. One that is killed while it writes, or finds the disk full, leaves part of a line at most, from which nothing was drawn: such a
 * line counts nothing. Where two spends meet that only one has room for, the first line in the file has it, and the other is refused and says so in
 * a further line.
 *
 * A file of another machine is refused, for appends over a network file system are not one step: two machines would overwrite each other's
 * lines. Lines are JSON, and nothing but spends that were refused is ever taken back. Whoever deletes or edits lines changes what was spent.
 *
 * @param path the file. It is made by the first spend if it is not there; its folder must be.
 * @throws {TypeError} when no constructor of claims made the limit.
 * @throws {RangeError} when the file was opened with another limit, slack or host, has a line that no ledger wrote, or was replaced; from
 * `spend` as with {@linkcode openBudget}.
 * @throws {Error} of the file system; from `spend` when the line cannot be written. Then nothing may be drawn.
 *
 * @example
 * ```ts
 * import { openLedger } from "@dpcheck/dpcheck/accounting";
 * import { addRemoveOne as relation, approximate, pure } from "@dpcheck/dpcheck/core";
 * const path = `${Deno.makeTempDirSync()}/survey.jsonl`;
 * const limit = approximate({ epsilon: 1, delta: 1e-6, relation });
 * openLedger(path, { limit }).spend(pure({ epsilon: 0.25, relation }));
 * openLedger(path, { limit }).remaining; // (0.75, 1e-6)-DP, tomorrow too
 * ```
 */
export function openLedger(path: string, options: LedgerOptions): Budget {
  requireKind("openLedger", "path", path, "text");
  const { limit, slack, host = hostname() } = requireFields("openLedger", options, {
    host: "text?",
  });
  requireKnown("open a ledger", options, ["limit", "slack", "host"]);
  const prices = pricesUnder(limit, { slack });
  const opened = { ledger: 1, ...claimToJSON(limit), ...(slack !== undefined && { slack }), host };
  const spends = new Map<string, Spend>();
  let spent = prices.none, header: LedgerRecord | undefined;
  const file = new RecordFile(path, takeIn);

  /** Takes in the next record of the file. */
  function takeIn(record: LedgerRecord): void {
    if (header === undefined) {
      requireOpened(record, opened);
      header = record;
      return;
    }
    const { spend, refused, ledger, at: _at, for: _for, charged, ...claim } = record;
    // Two processes that both made the file wrote two.
    if (ledger !== undefined) return;
    if (typeof refused === "string") {
      const back = spends.get(refused);
      if (back !== undefined) {
        spent = spent.map((amount, i) => subtract(amount, back.cost[i]!));
      }
      spends.delete(refused);
      return;
    }
    if (typeof spend !== "string" || spends.has(spend)) {
      throw new RangeError("Cannot read a ledger: spend must be a text that no other record has");
    }
    const read = claimFromJSON(claim, { relation: limit.relation });
    const cost = charged === undefined ? prices.cheapest(spent, read).cost : amountsOf(charged);
    spent = prices.add(spent, cost);
    spends.set(spend, { claim: read, cost, fits: prices.allows(spent) });
  }

  function amountsOf(charged: unknown): Amounts {
    const amounts = Array.isArray(charged) ? charged.map(amountOf) : [];
    if (amounts.length === prices.none.length && !amounts.includes(undefined)) {
      return amounts as Rational[];
    }
    throw new RangeError("Cannot read a ledger: charged must be the amounts that were spent");
  }

  /** Returns the record of a spend. It states the cost only if the claim keeps more than its numbers say. */
  function recordOf(
    { form: claim, cost }: { readonly form: Claim; readonly cost: Amounts },
    { spend, purpose }: { readonly spend: string; readonly purpose: string | undefined },
  ): LedgerRecord {
    const keepsMore = (lossesOf(claim)?.key ?? "") !== "";
    return {
      at: new Date().toISOString(),
      ...(purpose !== undefined && { for: purpose.slice(0, LONGEST_PURPOSE) }),
      ...claimToJSON(claim),
      ...(keepsMore && { charged: cost.map(textOf) }),
      spend,
    };
  }

  /** Returns, for each output, the claim that is paid for and its cost. @throws {RangeError} where they do not fit together. */
  function priced(outputs: readonly (readonly Claim[])[]): { form: Claim; cost: Amounts }[] {
    let after = spent;
    return outputs.map(([claim, ...alsoKeeps]) => {
      const { form, cost, total } = prices.cheapest(after, claim!, alsoKeeps);
      if (total === undefined) throw doesNotFit(form, prices.remaining(after));
      after = total;
      return { form, cost };
    });
  }

  function spendOn(
    outputs: readonly (readonly Claim[])[],
    purposes: readonly (string | undefined)[] = [],
  ): void {
    file.read();
    const paid = priced(outputs), ids = paid.map(() => crypto.randomUUID());
    file.append(paid.map((each, i) => recordOf(each, { spend: ids[i]!, purpose: purposes[i] })));
    file.read();
    const found = ids.map((id) => spends.get(id));
    if (found.some((spend) => spend === undefined)) {
      throw new Error(
        `Cannot spend: ${path} must be on a file system that appends in one step: a line that was written is not there`,
      );
    }
    if (found.every((spend) => spend!.fits)) return;
    // Another process was first: what fits beside its spend may still be there.
    try {
      file.append(ids.map((refused) => ({ at: new Date().toISOString(), refused })));
    } catch {
      // It stays in the file as spent, and is refused all the same.
    }
    spendOn(outputs, purposes);
  }

  file.open(opened);
  return Object.freeze({
    limit,
    get remaining(): Claim {
      file.read();
      return prices.remaining(spent);
    },
    get ledger(): readonly Claim[] {
      file.read();
      return Object.freeze(Array.from(spends.values(), ({ claim }) => claim));
    },
    canSpend(claim: Claim, alsoKeeps: readonly Claim[] = []): boolean {
      try {
        const outputs = [[claim, ...alsoKeeps]];
        file.read();
        priced(outputs);
        return true;
      } catch {
        return false;
      }
    },
    spend(claim: Claim, alsoKeeps: readonly Claim[] = [], options: SpendOptions = {}): void {
      const { purpose } = requireFields("spend", options, { purpose: "text?" });
      requireKnown("call spend()", options, ["purpose"]);
      spendOn([[claim, ...alsoKeeps]], [purpose]);
    },
    spendAll(claims: readonly Claim[], options: SpendAllOptions = {}): void {
      const { purposes } = requireFields("spendAll", options, { purposes: "list?" });
      requireKnown("call spendAll()", options, ["purposes"]);
      for (const purpose of purposes ?? []) requireKind("spendAll", "purposes", purpose, "text");
      spendOn(Array.from(claims, (claim) => [claim]), purposes);
    },
  });
}

/** An amount as text, exactly: rounded, it would not fit beside others that leave just room for it. */
function textOf({ numerator, denominator }: Rational): string {
  return `${numerator}/${denominator}`;
}

/** The amount of {@linkcode textOf}, or of earlier ledgers, which wrote digits and a power of two, as in 1p-2. */
function amountOf(text: unknown): Rational | undefined {
  const [, digits, sign, other] = /^(\d{1,9999})([/p])(-?\d{1,9999})$/.exec(String(text)) ?? [];
  if (digits === undefined) return undefined;
  const numerator = BigInt(digits);
  if (sign === "/") {
    const denominator = BigInt(other!);
    return denominator > 0n ? rational(numerator, denominator) : undefined;
  }
  const power = Number(other), two = 2n ** BigInt(Math.min(9999, Math.abs(power)));
  return power < 0 ? rational(numerator, two) : rational(numerator * two);
}

/** Throws unless a file was opened before as it is now. */
function requireOpened(header: LedgerRecord, now: LedgerRecord): void {
  if (header.ledger !== now.ledger) {
    throw new RangeError(
      "Cannot open a ledger: the file must be one, of this version, or not be there yet",
    );
  }
  const { host: before, ...limitBefore } = header, { host, ...limit } = now;
  if (JSON.stringify(limitBefore) !== JSON.stringify(limit)) {
    throw new RangeError(
      `Cannot open a ledger: limit and slack must be those that the file was opened with, ${
        shown(limitBefore)
      }: current value is ${shown(limit)}`,
    );
  }
  if (before !== host) {
    throw new RangeError(
      `Cannot open a ledger: it must be opened on ${before}, where it was made, for two machines that append to one file overwrite ` +
        `each other; where it was moved here for good, give host: ${
          JSON.stringify(before)
        }: current value is ${host}`,
    );
  }
}

function shown({ ledger: _ledger, slack, ...claim }: LedgerRecord): string {
  const beside = slack === undefined ? "" : ` with slack ${slack}`;
  return Object.entries(claim).map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(
    ", ",
  ) + beside;
}
