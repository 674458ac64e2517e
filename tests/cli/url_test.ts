import { assertEquals, assertStringIncludes } from "@std/assert";
import { type CliRun, runCli, runHere } from "../end_to_end/run_cli.ts";

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

function auditOf(url: string, words: readonly string[]): string[] {
  return [
    ...["audit", "--url", url, "--epsilon", "1", "--rows", '{"type":"number","min":0,"max":1}'],
    ...["--size", "2..3", "--relation", "replace-one", "--seed", "1", "--no-shrink", ...words],
  ];
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
    const cases: readonly (readonly [string, ...string[]])[] = [
      [`${origin}/ordered`, "--max-draws", "6000"],
      [`${origin}/counted`, "--max-draws", "400", "--require-power", "20"],
      [`${origin}/errors`, "--max-draws", "12000"],
      [`${origin}/ends`, "--max-draws", "1000"],
      [`${origin}/elsewhere`, "--max-draws", "1000"],
      [`${origin}/binary`, "--max-draws", "1000"],
      ["http://127.0.0.1:9/", "--max-draws", "1000"],
      ["ftp://127.0.0.1/"],
      [`${origin}/ordered`, "--workers", "2"],
    ];
    const runs: CliRun[] = [];
    for (const [url, ...words] of cases) runs.push(await runHere(auditOf(url, words)));
    // A process that may not use the network.
    runs.push(await runCli(auditOf(`${origin}/ordered`, ["--max-draws", "1000"])));
    assertEquals(
      runs.map(({ code }) => code),
      [1, 0, 1, 3, 3, 3, 3, 2, 2, 3],
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
    said(7, "must begin with http:// or https://");
    said(8, "cannot be given with --url");
    said(9, "--allow-net");
  } finally {
    server.kill();
    await server.output().catch(() => {});
    await server.status;
  }
});
