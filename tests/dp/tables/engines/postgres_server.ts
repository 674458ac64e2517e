import { hasProgram } from "../../../has_program.ts";

/** Where Debian keeps the programs of a server, which are not on the path. */
const DEBIAN = "/usr/lib/postgresql";

const bin = ((): string => {
  try {
    const versions = [...Deno.readDirSync(DEBIAN)].map(({ name }) => name).sort((a, b) => +a - +b);
    return `${DEBIAN}/${versions.at(-1)}/bin/`;
  } catch {
    return "";
  }
})();

/** Whether PostgreSQL is installed here. */
export const hasPostgres: boolean = await hasProgram(
  [`${bin}postgres`, "--version"],
  "questions to tables of PostgreSQL",
);

/** A PostgreSQL of its own, whose files and socket are in a folder. It has no port. */
export class PostgresServer {
  readonly #process: Deno.ChildProcess;
  readonly #folder: string;

  private constructor(process: Deno.ChildProcess, folder: string) {
    this.#process = process;
    this.#folder = folder;
  }

  /** Starts one. It refuses to be run by root, who gives the folder to Debian's user of that name. */
  static async start(folder: string): Promise<PostgresServer> {
    const isRoot = Deno.uid() === 0,
      as = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
    if (isRoot) await run(["chown", "postgres", folder]);
    const data = `${folder}/data`;
    await run([
      ...as,
      ...[
        `${bin}initdb`,
        "-D",
        data,
        "-U",
        "tester",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "-N",
      ],
    ]);
    const [program, ...args] = [
      ...as,
      ...[`${bin}postgres`, "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"],
      ...["-c", "shared_buffers=16MB", "-c", "jit=off", "-c", "max_connections=10"],
    ];
    const process = new Deno.Command(program!, {
      args,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    })
      .spawn();
    const server = new PostgresServer(process, folder);
    for (let i = 0; i < 200; i++) {
      try {
        await server.query("SELECT 1");
        return server;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    throw new Error("PostgreSQL does not answer");
  }

  /** How it is reached. */
  get connection(): { readonly host: string; readonly user: string; readonly database: string } {
    return { host: this.#folder, user: "tester", database: "postgres" };
  }

  /** Runs statements, or one with values. */
  async query(text: string, values?: readonly unknown[]): Promise<readonly unknown[]> {
    const { default: { Client } } = await import("pg");
    const client = new Client(this.connection);
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends it. */
  async stop(): Promise<void> {
    this.#process.kill("SIGINT");
    await this.#process.status;
  }
}

async function run([program, ...args]: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command(program!, {
    args,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new Error(`${program} failed`);
}
