import { firstFile } from "../../../has_program.ts";

/** Debian has the program of a server where the path of a user does not lead. */
const program = await firstFile(
  ["/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server"],
  "questions to tables of ClickHouse",
);

/** Whether ClickHouse is installed here. */
export const hasClickhouse: boolean = program !== undefined;

/** Servers of ClickHouse as the shards of one cluster, `shards`, whose files are in a folder, at ports of this machine alone. */
export class ClickhouseServers {
  readonly #processes: Deno.ChildProcess[] = [];
  readonly #urls: string[] = [];

  /** Starts so many. */
  static async start(folder: string, count: number): Promise<ClickhouseServers> {
    const servers = new ClickhouseServers();
    const ports = Array.from({ length: count }, () => [freePort(), freePort(), freePort()]);
    try {
      for (const [i, [http]] of ports.entries()) {
        const own = `${folder}/clickhouse${i}`;
        await Deno.mkdir(own);
        await Deno.writeTextFile(`${own}/users.xml`, USERS);
        await Deno.writeTextFile(`${own}/config.xml`, configOf(own, ports, i));
        servers.#urls.push(`http://127.0.0.1:${http}`);
        servers.#processes.push(
          new Deno.Command(program!, {
            args: [`--config-file=${own}/config.xml`],
            cwd: own,
            stdin: "null",
            stdout: "null",
            stderr: "null",
          }).spawn(),
        );
      }
      for (const i of ports.keys()) await servers.#answers(i);
      return servers;
    } catch (error) {
      await servers.stop();
      throw error;
    }
  }

  /** Where each is reached. */
  get urls(): readonly string[] {
    return this.#urls;
  }

  /** Runs a statement on one of them, with data behind it. */
  async query(
    text: string,
    { shard = 0, data = "" as string | Uint8Array<ArrayBuffer> } = {},
  ): Promise<string> {
    const url = `${
      this.#urls[shard]
    }/?insert_distributed_sync=1&allow_experimental_low_cardinality_type=1&query=${
      encodeURIComponent(text)
    }`;
    const response = await fetch(url, { method: "POST", body: data });
    const answer = await response.text();
    if (!response.ok) throw new Error(answer);
    return answer;
  }

  /** Ends them. */
  async stop(): Promise<void> {
    for (const process of this.#processes) process.kill("SIGKILL");
    for (const process of this.#processes) await process.status;
  }

  async #answers(shard: number): Promise<void> {
    for (let i = 0; i < 300; i++) {
      try {
        await this.query("SELECT 1", { shard });
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    throw new Error("ClickHouse does not answer");
  }
}

const USERS =
  `<yandex><profiles><default/><brief><group_by_overflow_mode>any</group_by_overflow_mode></brief></profiles><quotas><default/></quotas><users>
<default><password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
<reader><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></reader>
<brief><password/><networks><ip>127.0.0.1</ip></networks><profile>brief</profile><quota>default</quota></brief>
</users></yandex>`;

function configOf(folder: string, ports: readonly (readonly number[])[], own: number): string {
  const [http, tcp, between] = ports[own]!;
  const shards = ports.map(([, port]) =>
    `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`
  );
  return `<yandex>
<logger><level>warning</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
<listen_host>127.0.0.1</listen_host><http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><interserver_http_port>${between}</interserver_http_port>
<path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><user_files_path>${folder}/files/</user_files_path>
<users_config>${folder}/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>67108864</mark_cache_size><uncompressed_cache_size>67108864</uncompressed_cache_size><timezone>UTC</timezone>
<remote_servers><shards>${shards.join("")}</shards></remote_servers>
</yandex>`;
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
}
