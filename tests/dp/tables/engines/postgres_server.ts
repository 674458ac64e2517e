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

/** A PostgreSQL of its own, whose files are in a folder, at a port of this machine alone. */
export class PostgresServer {
  readonly #process: Deno.ChildProcess;
  readonly #port: number;

  private constructor(process: Deno.ChildProcess, port: number) {
    this.#process = process;
    this.#port = port;
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
    const port = freePort();
    const [program, ...args] = [
      ...as,
      ...[`${bin}postgres`, "-D", data, "-k", "", "-h", "127.0.0.1", "-p", `${port}`],
      ...["-c", "fsync=off"],
      ...["-c", "shared_buffers=16MB", "-c", "jit=off", "-c", "max_connections=10"],
    ];
    const process = new Deno.Command(program!, {
      args,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    })
      .spawn();
    const server = new PostgresServer(process, port);
    for (let i = 0; i < 200; i++) {
      try {
        await server.query("SELECT 1");
        return server;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    await server.stop();
    throw new Error("PostgreSQL does not answer");
  }

  /** How it is reached. */
  get connection(): {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  } {
    return { host: "127.0.0.1", port: this.#port, user: "tester", database: "postgres" };
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

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
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
