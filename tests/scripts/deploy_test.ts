import { assert, assertEquals, assertMatch } from "@std/assert";
import { Command } from "commander";
// @ts-types="./yaml.d.ts"
import { parse, parseAll } from "deno-std/yaml/mod.js";
import { defineWorker } from "../../cli/commands/worker.ts";

// The manifests of deploy/: YAML that parses, and names, images and commands that exist. No cluster is needed.

const root = new URL("../../", import.meta.url);
const read = (file: string): string => Deno.readTextFileSync(new URL(file, root));

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: unknown };
  }[];
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly completionMode?: string;
    readonly completions?: number;
    readonly parallelism?: number;
    readonly ports?: readonly { readonly port: number }[];
    readonly selector?: { readonly app: string };
    readonly template?: {
      readonly metadata: { readonly labels: { readonly app: string } };
      readonly spec: { readonly containers: readonly Container[] };
    };
  };
}

const compose = parse(read("deploy/compose.yaml")) as {
  readonly services: Readonly<
    Record<string, {
      readonly image: string;
      readonly build?: string;
      readonly command: readonly string[];
      readonly environment?: Readonly<Record<string, string>>;
      readonly depends_on?: Readonly<Record<string, unknown>>;
    }>
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const manifests = ["redis", "workers"].flatMap((name) =>
  parseAll(read(`deploy/kubernetes/${name}.yaml`)) as Manifest[]
);

/** Why `dpcheck worker` would refuse these words, if it does. */
function refusal(words: readonly string[]): string | undefined {
  let ran = false;
  const program = new Command("dpcheck").exitOverride().configureOutput({ writeErr: () => {} });
  const worker = program.command("worker");
  defineWorker(worker, () => {});
  worker.action(() => void (ran = true));
  Deno.env.set("DPCHECK_QUEUE", "redis://x");
  try {
    program.parse([...words], { from: "user" });
  } catch (error) {
    return (error as Error).message;
  } finally {
    Deno.env.delete("DPCHECK_QUEUE");
  }
  return ran ? undefined : "nothing was run";
}

function containersOf(kind: string): readonly Container[] {
  return manifests.filter((one) => one.kind === kind)
    .flatMap(({ spec }) => spec.template!.spec.containers);
}

// Mutants: an option that the command has not; another name of the service; another key of the secret.
Deno.test("the workers of deploy/ are started with words that dpcheck takes, and find their Redis", () => {
  const [kube] = containersOf("Job"), { redis, worker } = compose.services;
  assertEquals(kube!.command, ["dpcheck"]);
  for (const words of [worker!.command, kube!.args]) assertEquals(refusal(words), undefined);
  assert(refusal(["worker", "--queue", "redis://x", "--workers", "2"]) !== undefined);
  const queue = (words: readonly string[]): string => words[words.indexOf("--queue") + 1]!;
  for (const words of [worker!.command, kube!.args]) {
    assertEquals(queue(words), "env:DPCHECK_QUEUE");
  }
  assertMatch(
    worker!.environment!.DPCHECK_QUEUE!,
    /^redis:\/\/:\$\{DPCHECK_REDIS_PASSWORD.*\}@redis:6379$/,
  );
  assert(redis !== undefined && "redis" in worker!.depends_on!);
  const service = manifests.find(({ kind }) => kind === "Service")!;
  const { name } = service.metadata, [{ port }] = service.spec.ports as [{ port: number }];
  assertEquals(kube!.env.at(-1), {
    name: "DPCHECK_QUEUE",
    value: `redis://:$(REDIS_PASSWORD)@${name}:${port}`,
  });
  const set = manifests.find(({ kind }) => kind === "StatefulSet")!;
  assertEquals(service.spec.selector, set.spec.template!.metadata.labels);
});

Deno.test("the Redis of deploy/ has a password and its file, and forgets nothing when it is full", () => {
  const [kube] = containersOf("StatefulSet"), [worker] = containersOf("Job");
  for (const words of [compose.services.redis!.command, kube!.args]) {
    const after = (name: string): string => words[words.indexOf(name) + 1]!;
    assertMatch(after("--requirepass"), /PASSWORD/);
    assertEquals(after("--appendonly"), "yes");
    assertEquals(after("--maxmemory-policy"), "noeviction");
  }
  assertEquals(kube!.env.map(({ name }) => name), ["REDIS_PASSWORD"]);
  assertEquals(worker!.env[0], kube!.env[0]);
  assertEquals(Object.keys(compose.volumes), ["redis"]);
});

Deno.test("the images of deploy/ are Redis and the one of the Dockerfile", () => {
  const images = [
    ...Object.values(compose.services).map(({ image }) => image),
    ...["Job", "StatefulSet"].flatMap((kind) => containersOf(kind).map(({ image }) => image)),
  ];
  assertEquals(new Set(images), new Set(["redis:7", "dpcheck"]));
  assertEquals(compose.services.worker!.build, "..");
  assertMatch(read("Dockerfile"), /docker build -t dpcheck \./);
  assertMatch(read("Dockerfile"), /^ENTRYPOINT \["dpcheck"\]$/m);
});

Deno.test("the workers of Kubernetes are an indexed Job", () => {
  const kinds = manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  assertEquals(kinds, ["v1 Service", "apps/v1 StatefulSet", "batch/v1 Job"]);
  const { completionMode, completions, parallelism } = manifests.at(-1)!.spec;
  assertEquals(completionMode, "Indexed");
  assertEquals(completions, parallelism);
  for (const { metadata } of manifests) assertMatch(metadata.name, /^[a-z][a-z0-9-]*$/);
});
