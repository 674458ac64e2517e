import { requireFields, requireKind } from "../../../core/numeric/require.ts";
import { requireKnown } from "../../../core/text/known_options.ts";
import { textOfBytes } from "../text_of_bytes.ts";
import { clickhouseDialect, doubleOfBits, typeOfClickhouse } from "./clickhouse_dialect.ts";
import { type ClickhouseQuery, clickhouseQueryOf, wholeOfSum } from "./clickhouse_sql.ts";
import { type AnswerColumns, foundOfColumns } from "./found_of_columns.ts";
import { requireColumns } from "./memory.ts";
import { columnsOf, type Engine, type Found, type Plan } from "./plan.ts";

/** Options of {@linkcode clickhouse}. */
export interface ClickhouseOptions {
  /**
   * Where the server is: a URL of its HTTP interface, `http://host:8123/?database=clinic`. Several are shards: each row of the table is on one of them. A person's
   * rows count where `cityHash64(person) % shards` says, from 0 on in the order of the list, which is where a table `Distributed(…, cityHash64(person))` puts them; such rows elsewhere do not count. Default: `http://localhost:8123`.
   */
  readonly connection?: string | readonly string[];
  /** The user. Default: the one of the URL, or of the server. */
  readonly user?: string;
  /** The password of the user. */
  readonly password?: string;
  /** Seconds after which a query that was not answered fails. Default: none. */
  readonly timeout?: number;
}

/**
 * Rows of a table or view of ClickHouse, for {@linkcode table}, over HTTP. It needs no package. A Distributed table adds up on its servers what no person bounds; with persons, list the servers as shards, and
 * rows stay where they are.
 *
 * The user needs the right to read the table, and no other. Each question is a query of its own: ClickHouse has no transactions. Errors have the number that the database gives them, and no row.
 *
 * @throws {RangeError} for an option that is unknown, or a URL that is none. Questions throw an Error when the database cannot be reached, fails, or has settings by which it would give a part of an answer; then nothing is paid.
 *
 * @example
 * ```ts
 * import { clickhouse } from "./clickhouse.ts";
 * const rows = clickhouse("visits", { connection: "http://localhost:8123/?database=clinic" });
 * ```
 */
export function clickhouse(table: string, options: ClickhouseOptions = {}): Engine {
  requireKind("clickhouse", "table", table, "text");
  const { connection = "http://localhost:8123", timeout } = options;
  const { user, password } = requireFields("clickhouse", options, {
    user: "text?",
    password: "text?",
  });
  if (timeout !== undefined && !(timeout > 0 && timeout <= 1e6)) {
    throw new RangeError(
      `Cannot ask ClickHouse: timeout must be seconds above 0: current value is ${Number(timeout)}`,
    );
  }
  requireKnown("read by ClickHouse", options, ["connection", "user", "password", "timeout"]);
  const urls = typeof connection === "string" ? [connection] : connection;
  if (!Array.isArray(urls) || urls.length === 0) {
    throw new RangeError(
      "Cannot ask ClickHouse: connection must be a URL, or a list of some: current value is none",
    );
  }
  const servers = urls.map((url) => new Server(url, { user, password, timeout }));
  const source = clickhouseDialect.column(table);
  return {
    engine: "clickhouse",
    async run(plans, declared = []): Promise<readonly Found[]> {
      const names = [...new Set([...declared, ...plans.flatMap(columnsOf)])];
      const types = await Promise.all(servers.map(async (server) => {
        await server.requireWhole();
        return await typesOf(server, source);
      }));
      for (const each of types) requireColumns([...each.keys()], names);
      const found: Found[] = [];
      for (const plan of plans) {
        const answers = await Promise.all(servers.map(async (server, index) => {
          const own = types[index]!, shard = { index, count: servers.length };
          if (shard.count > 1) requirePerson(plan, own);
          const known = new Map([...own].map(([name, type]) => [name, typeOfClickhouse(type)]));
          const query = clickhouseQueryOf(plan, { table: { source, types: known }, shard });
          return await answerOf(server, plan, query);
        }));
        found.push(
          foundOfColumns(plan, answers.length === 1 ? answers[0]! : merged(plan, answers)),
        );
      }
      return found;
    },
  };
}

/** Cells of an answer by column. */
type Cells = Readonly<Record<string, readonly unknown[]>>;

class Server {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeout: number | undefined;

  constructor(
    text: string,
    { user, password, timeout }: {
      readonly user: string | undefined;
      readonly password: string | undefined;
      readonly timeout: number | undefined;
    },
  ) {
    const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      // A URL may have a password in it.
      throw new RangeError(
        "Cannot ask ClickHouse: connection must be a URL, as in http://host:8123/?database=clinic",
      );
    }
    const own = user ?? textOfUrl(url.username), secret = password ?? textOfUrl(url.password);
    this.#headers = {
      ...(own !== "" && { "X-ClickHouse-User": own }),
      ...(secret !== "" && { "X-ClickHouse-Key": secret }),
    };
    url.username = "";
    url.password = "";
    // An answer is sent when all of it is there: an error is then no end of an answer that began.
    url.searchParams.set("wait_end_of_query", "1");
    this.#url = url;
    this.#timeout = timeout;
  }

  /** Refuses settings by which a query gives a part of its answer: which part may depend on other rows. */
  async requireWhole(): Promise<void> {
    const { name = [] } = await this.ask(
      "SELECT name FROM system.settings WHERE (name LIKE '%overflow\\\\_mode' AND value NOT IN ('throw', '')) OR (name IN ('limit', 'offset', 'skip_unavailable_shards', 'distributed_group_by_no_merge') AND value NOT IN ('0', ''))",
    );
    if (name.length === 0) return;
    throw new Error(
      `Cannot ask ClickHouse: settings of the user must be those by which answers are whole: current value of ${
        name.join(" and ")
      } is another`,
    );
  }

  async ask(query: string): Promise<Cells> {
    const url = new URL(this.#url), body = new TextEncoder().encode(`${query} FORMAT JSONCompact`);
    // Public keys stand in the query.
    if (body.length > QUERY_BYTES) url.searchParams.set("max_query_size", String(body.length + 1));
    let status: Response["status"], answer: string;
    try {
      const response = await fetch(url, {
        method: "POST",
        body,
        headers: this.#headers,
        redirect: "error",
        ...(this.#timeout !== undefined && {
          signal: AbortSignal.timeout(Math.ceil(this.#timeout * 1000)),
        }),
      });
      status = response.status;
      answer = await response.text();
    } catch (error) {
      refuse(
        (error as Error).name === "TimeoutError"
          ? `no answer in ${this.#timeout} seconds`
          : `no connection to ${this.#url.host}`,
      );
    }
    return cellsOf(status, answer);
  }
}

/** Bytes that a server reads of a query without being told. */
const QUERY_BYTES = 2 ** 18 - 1;

function textOfUrl(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function refuse(error: string): never {
  throw new Error(`Cannot ask ClickHouse: the query must be answered: current error is ${error}`);
}

/** Columns of an answer, which must be whole. */
function cellsOf(status: number, answer: string): Cells {
  // What the server says of a query may quote a cell: its number says enough.
  const [, code] = /^Code: (\d+)/.exec(answer) ?? [];
  if (code !== undefined) refuse(`code ${code}${NAMES[code] ?? ""}`);
  if (status !== 200) refuse(`HTTP status ${status}`);
  let given: {
    readonly meta?: readonly { readonly name: string }[];
    readonly data?: readonly (readonly unknown[])[];
    readonly rows?: number;
  };
  try {
    given = JSON.parse(answer);
  } catch {
    refuse("an answer that ends early, or is not of ClickHouse");
  }
  const { meta, data, rows } = given ?? {};
  if (!Array.isArray(meta) || !Array.isArray(data) || data.length !== rows) {
    refuse("an answer that ends early, or is not of ClickHouse");
  }
  return Object.fromEntries(meta.map(({ name }, i) => [name, data.map((row) => row[i])]));
}

/** Errors that people meet. */
const NAMES: Readonly<Record<string, string>> = {
  "60": ", no such table",
  "81": ", no such database",
  "158": ", more rows than the user may read",
  "159": ", more time than the user has",
  "62": ", SQL that this version does not read",
  "164": ", settings that the user may not change: max_query_size, which long lists of keys need",
  "168": ", an expression that is too long for the server",
  "192": ", no such user",
  "193": ", another password",
  "194": ", a password is needed",
  "195": ", an address from which the user may not come",
  "202": ", too many queries at once",
  "241": ", no memory",
  "279": ", a shard that does not answer",
  "291": ", no right to the database",
  "394": ", cancelled",
  "497": ", no right to read it",
  "516": ", another user or password",
};

/** Types of columns as the database names them. */
async function typesOf(server: Server, source: string): Promise<ReadonlyMap<string, string>> {
  const { name = [], type = [] } = await server.ask(`DESCRIBE TABLE ${source}`);
  return new Map(name.map((each, i) => [String(each), String(type[i])]));
}

/** The hash of a cell tells where a person's rows are: here it is that of a text or whole number. */
function requirePerson({ persons }: Plan, types: ReadonlyMap<string, string>): void {
  const type = persons === undefined ? "String" : types.get(persons.column)!;
  if (/^((Nullable|LowCardinality)\()*(String|U?Int(8|16|32|64))\)*$/.test(type)) return;
  throw new RangeError(
    `Cannot ask ClickHouse: with shards the column of persons must be of texts or whole numbers: current type is ${type}`,
  );
}

async function answerOf(
  server: Server,
  { wanted }: Plan,
  { query, keys }: ClickhouseQuery,
): Promise<AnswerColumns> {
  const lists = Object.entries(await server.ask(query)).map(([name, [list]]) => [name, list]);
  if (!lists.every(([, list]) => Array.isArray(list))) {
    refuse("an answer that is not of ClickHouse");
  }
  const answer: Readonly<Record<string, readonly string[]>> = Object.fromEntries(lists);
  if (wanted.kind === "totals") {
    return Object.fromEntries(
      Object.entries(answer).map(([name, cells]) => [
        name,
        cells.map((cell) => typeof cell === "string" ? wholeOfSum(cell) : cell),
      ]),
    );
  }
  if (wanted.kind !== "units") return answer;
  const texts = keys === "double"
    ? answer.k!.map((bits) => String(doubleOfBits(bits)))
    : answer.k!.map(textOfHex);
  // Bytes that are no UTF-8 are no text, here as in files.
  const isText = texts.map((text) => text !== undefined);
  return {
    k: texts.filter((text) => text !== undefined),
    n: answer.n!.filter((_, i) => isText[i]),
  };
}

function textOfHex(digits: string): string | undefined {
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return textOfBytes(bytes);
}

/** Answers of several servers, added up by group, or by cell or text. */
function merged({ wanted, persons }: Plan, answers: readonly AnswerColumns[]): AnswerColumns {
  const joined = (name: string): unknown[] =>
    answers.flatMap((answer) => Array.from(answer[name] ?? []));
  if (wanted.kind === "distinct") {
    return persons === undefined
      ? { n: [String(new Set(joined("k")).size)] }
      : { i: joined("i"), k: joined("k") };
  }
  const names = Object.keys(answers[0]!), keys = names.filter((name) => /^[gck]$/.test(name));
  const sums = names.filter((name) => !keys.includes(name));
  const columns = Object.fromEntries(names.map((name) => [name, joined(name)]));
  const places = new Map<unknown, number>(), at: number[] = [];
  const totals = sums.map((): (number | bigint)[] => []);
  columns[names[0]!]!.forEach((first, row) => {
    const key = keys.length === 1 ? first : keys.map((name) => columns[name]![row]).join(" ");
    let place = places.get(key);
    if (place === undefined) {
      places.set(key, place = places.size);
      at.push(row);
    }
    sums.forEach((name, i) => {
      totals[i]![place] = added(totals[i]![place] ?? 0, columns[name]![row]);
    });
  });
  return Object.fromEntries([
    ...keys.map((name) => [name, at.map((row) => columns[name]![row])]),
    ...sums.map((name, i) => [name, totals[i]!]),
  ]);
}

/** Whole numbers added up exactly: doubles as long as they are. */
function added(one: number | bigint, other: unknown): number | bigint {
  const sum = Number(one) + Number(other);
  return Number.isSafeInteger(sum) && typeof one === "number" && typeof other !== "bigint"
    ? sum
    : BigInt(one) + BigInt(other as string);
}
