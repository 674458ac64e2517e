import { assertEquals, assertStringIncludes } from "@std/assert";
import { cliCommand, type CliRun } from "../end_to_end/run_cli.ts";

/** An endpoint for each way to answer: it prints its port. */
const SERVER = `
const noise = () => Math.log(crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32 + 2 ** -33);
const sum = (rows) => rows.reduce((all, row) => all + row, 0);
const noisy = (rows, scale) => sum(rows) + scale * (noise() - noise());
const json = (value) => new Response(JSON.stringify(value, null, 2));
let posts = 0;
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) }, async (request) => {
  const path = new URL(request.url).pathname;
  if (request.method === "GET") {
    if (path === "/ordered") return json({ dpcheck: 1, order: true, references: true });
    if (path === "/binary") return json({ dpcheck: 1, order: true, binary: "f64", width: 1 });
    return new Response("what?", { status: 405 });
  }
  const { id, data, count, datasets, order } = await request.json();
  switch (path) {
    case "/ordered":
      return json({ id, outputs: order.map((side) => noisy(datasets[side], 0.2)) });
    case "/counted":
      return json({ id, outputs: Array.from({ length: count }, () => noisy(data, 1)) });
    case "/errors":
      return json(sum(data) > 1 ? { id, error: "too much" } : { id, outputs: [noisy(data, 1)] });
    case "/elsewhere":
      return Response.redirect("http://127.0.0.1:9/", 307);
    default:
      return ++posts > 3 ? new Response("no\\nrows left", { status: 503 }) : json({ id, outputs: [noise()] });
  }
});`;

async function audited(
  url: string,
  words: readonly string[],
  permissions: readonly string[],
): Promise<CliRun> {
  const { code, stdout, stderr } = await cliCommand(
    [
      ...["audit", "--url", url, "--epsilon", "1", "--rows", '{"type":"number","min":0,"max":1}'],
      ...["--size", "2..3", "--relation", "replace-one", "--seed", "1", "--no-shrink", ...words],
    ],
    {},
    permissions,
  ).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

// Mutants: the GET left out; datasets left out, which an endpoint need not remember; answers in the order in which they come; a status of 503 taken for an answer; redirections followed.
Deno.test("--url audits an HTTP endpoint, in order or one by one, and says in a sentence what fails", async () => {
  const server = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", SERVER],
    stdout: "piped",
  }).spawn();
  try {
    const lines = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const origin = `http://127.0.0.1:${(await lines.read()).value!.trim()}`;
    const net = [`--allow-net=127.0.0.1`];
    const runs = await Promise.all([
      audited(`${origin}/ordered`, ["--max-draws", "40000"], net),
      audited(`${origin}/counted`, ["--max-draws", "1500", "--require-power", "20"], net),
      audited(`${origin}/errors`, ["--max-draws", "3000"], net),
      audited(`${origin}/ends`, ["--max-draws", "1000"], net),
      audited(`${origin}/elsewhere`, ["--max-draws", "1000"], net),
      audited(`${origin}/binary`, ["--max-draws", "1000"], net),
      audited("http://127.0.0.1:9/", ["--max-draws", "1000"], net),
      audited(`${origin}/ordered`, ["--max-draws", "1000"], []),
      audited("ftp://127.0.0.1/", [], net),
      audited(`${origin}/ordered`, ["--workers", "2"], net),
    ]);
    assertEquals(
      runs.map(({ code }) => code),
      [1, 0, 1, 3, 3, 3, 3, 3, 2, 2],
      JSON.stringify(runs),
    );
    assertStringIncludes(runs[0]!.stdout, "--allow-net=127.0.0.1:");
    assertStringIncludes(runs[2]!.stdout, "kind(output)");
    const said = (run: number, text: string): void =>
      assertStringIncludes(runs[run]!.stdout + runs[run]!.stderr, text);
    said(3, 'answered with status 503 "no ⏎ rows left"');
    said(4, "could not be asked");
    said(5, "offers binary answers");
    said(6, "could not be asked");
    said(7, "--allow-net");
    said(8, "must begin with http:// or https://");
    said(9, "cannot be given with --url");
  } finally {
    server.kill();
    await server.output().catch(() => {});
    await server.status;
  }
});
