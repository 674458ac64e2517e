import { assert, assertRejects } from "@std/assert";
import { BadInput } from "../../../cli/options/bad_input.ts";
import { connectToRedis } from "../../../cli/queue/redis_connection.ts";
import { withFolder } from "../../end_to_end/run_cli.ts";
import { withRedis } from "./queue_processes.ts";
import { hasRedis, pause } from "./redis_server.ts";
import { hasProgram } from "../../has_program.ts";

const VARIABLE = "NODE_EXTRA_CA_CERTS", PASSWORD = "open";

async function run(program: string, args: readonly string[]): Promise<boolean> {
  const command = new Deno.Command(program, { args: [...args], stdout: "null", stderr: "null" });
  return await command.output().then(({ success }) => success, () => false);
}

const ignore = !hasRedis || !await hasProgram(["openssl", "version"], "a queue with certificates");

/** Makes a certificate that signs itself, for this machine. Returns its file; that of the key is beside it. */
async function certificate(folder: string, name: string): Promise<string> {
  const file = `${folder}/${name}.pem`;
  const made = await run("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
    ...["-keyout", `${file}.key`, "-out", file, "-days", "2", "-subj", "/CN=127.0.0.1"],
    ...["-addext", "subjectAltName=IP:127.0.0.1"],
  ]);
  assert(made);
  return file;
}

/** A port that was free a moment ago. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

/** Milliseconds for which a Redis that does not answer is asked again. */
const ASKED_AGAIN = 5000;

// Mutants: the file of certificates is not read; certificates are not checked; a certificate that is not trusted is asked for again.
Deno.test({
  name:
    "Redis with TLS is used with its own certificate and password, and refused without either of them",
  ignore,
  fn: () =>
    withFolder(async (folder) => {
      const own = await certificate(folder, "own"), other = await certificate(folder, "other");
      const port = freePort(), before = Deno.env.get(VARIABLE);
      const options = {
        port: 0,
        "tls-port": port,
        "tls-cert-file": own,
        "tls-key-file": `${own}.key`,
        "tls-ca-cert-file": own,
        "tls-auth-clients": "no",
        bind: "127.0.0.1",
        requirepass: PASSWORD,
        save: "",
      };
      const server = new Deno.Command("redis-server", {
        args: Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]),
        cwd: folder,
        stdout: "null",
        stderr: "null",
      }).spawn();
      const connect = async (password: string, trusted?: string): Promise<void> => {
        if (trusted === undefined) Deno.env.delete(VARIABLE);
        else Deno.env.set(VARIABLE, trusted);
        const redis = await connectToRedis(`rediss://:${password}@127.0.0.1:${port}`, {
          say: () => {},
        });
        redis.disconnect();
      };
      try {
        for (let tries = 0; tries < 100 && !await accepts(port); tries++) await pause(25);
        await connect(PASSWORD, own);
        const refused = async (
          message: string,
          ...how: Parameters<typeof connect>
        ): Promise<void> => void await assertRejects(() => connect(...how), BadInput, message);
        const begun = performance.now();
        // All at once. The variable is read when a connection begins.
        await Promise.all([
          refused("self-signed certificate", PASSWORD),
          refused("certificate", PASSWORD, other),
          refused("WRONGPASS", "closed", own),
          refused("none.pem cannot be read: there is no such file", PASSWORD, `${folder}/none.pem`),
          assertRejects(
            () => connectToRedis(`redis://:${PASSWORD}@127.0.0.1:${port}`, { say: () => {} }),
            BadInput,
            "speaks with TLS: rediss://",
          ),
        ]);
        assert(performance.now() - begun < ASKED_AGAIN);
      } finally {
        if (before === undefined) Deno.env.delete(VARIABLE);
        else Deno.env.set(VARIABLE, before);
        server.kill("SIGKILL");
        await server.status;
      }
    }),
});

Deno.test({
  name: "rediss:// at a Redis without TLS is named as that",
  ignore: !hasRedis,
  fn: () =>
    withRedis(async (redis) => {
      await assertRejects(
        () => connectToRedis(redis.url.replace("redis:", "rediss:"), { say: () => {} }),
        BadInput,
        "speaks without TLS: redis:// in place of rediss://",
      );
    }),
});

async function accepts(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}
