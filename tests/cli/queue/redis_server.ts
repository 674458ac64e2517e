import { hasProgram } from "../../has_program.ts";

/** Whether Debian's redis-server, or another one, is installed here. */
export const hasRedis: boolean = await hasProgram(
  ["redis-server", "--version"],
  "audits and suites through a queue",
);

const PASSWORD = "a secret of the tests";

/** A Redis of its own, on a port of this machine that was free, with a password and an append-only file. */
export class RedisServer {
  readonly #folder: string;
  readonly #port: number;
  #process: Deno.ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  /** Starts one with its files in a folder. */
  static async start(folder: string): Promise<RedisServer> {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    listener.close();
    const server = new RedisServer(folder, port);
    await server.start();
    return server;
  }

  /** Its URL. */
  get url(): string {
    return `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.#port}`;
  }

  /** Its URL with another password. */
  get urlOfOthers(): string {
    return `redis://:nothing@127.0.0.1:${this.#port}`;
  }

  /** Starts it, again where it was killed: it reads its file. `more` are options of redis.conf. */
  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const options = {
      port: this.#port,
      bind: "127.0.0.1",
      dir: this.#folder,
      requirepass: PASSWORD,
      appendonly: "yes",
      appendfsync: "always",
      save: "",
      "maxmemory-policy": "noeviction",
      // The tests put its files elsewhere while it runs.
      "enable-protected-configs": "local",
      "enable-debug-command": "local",
      ...more,
    };
    this.#process = new Deno.Command("redis-server", {
      args: Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]),
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    for (let i = 0; i < 200; i++) {
      try {
        const answer = await this.ask("PING");
        if (answer === "+PONG" || answer.startsWith("-LOADING")) return;
      } catch {
        // Not yet.
      }
      await pause(25);
    }
    throw new Error("redis-server does not answer");
  }

  /** Kills it, as a crash does. */
  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#process?.status;
  }

  /** The first line of the answer to a command of a few words. */
  async ask(...words: string[]): Promise<string> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: this.#port });
    try {
      const encoder = new TextEncoder(), buffer = new Uint8Array(4096);
      const send = async (own: readonly string[]): Promise<string> => {
        const parts = own.map((word) => `$${encoder.encode(word).length}\r\n${word}\r\n`);
        await connection.write(encoder.encode(`*${own.length}\r\n${parts.join("")}`));
        const length = await connection.read(buffer);
        return new TextDecoder().decode(buffer.subarray(0, length ?? 0)).split("\r\n")[0]!;
      };
      await send(["AUTH", PASSWORD]);
      return await send(words);
    } finally {
      connection.close();
    }
  }
}

/** Waits. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
