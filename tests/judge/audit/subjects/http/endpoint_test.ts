import { assertEquals, assertRejects } from "@std/assert";
import { httpSubject } from "../../../../../lib/judge/audit/subjects/http/http_subject.ts";
import { SubjectFailure } from "../../../../../lib/judge/audit/kernel/subject.ts";

/** An endpoint that answers request k with k, those of even numbers last, and fails at `failsAt`; the most requests that it had at once. */
async function asked(
  count: number,
  { greeting, failsAt = Infinity }: { readonly greeting: string; readonly failsAt?: number },
): Promise<{ readonly outputs: readonly unknown[]; readonly most: number }> {
  let now = 0, most = 0, posts = -1;
  const held: (() => void)[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      if (request.method === "GET") return new Response(greeting);
      most = Math.max(most, ++now);
      const own = posts++, { id } = await request.json() as { id: number };
      // The first of two waits for the second, where both may be under way.
      if (own % 2 === 0 && /parallel/.test(greeting) && own >= 0 && own < count - 1) {
        await new Promise<void>((resolve) => held.push(resolve));
      } else held.splice(0).forEach((go) => go());
      now--;
      if (id === failsAt) return new Response("no rows left", { status: 503 });
      return new Response(JSON.stringify({ id, outputs: [id] }));
    },
  );
  const subject = httpSubject(`http://127.0.0.1:${server.addr.port}/`, { timeoutSeconds: 10 });
  try {
    // The first request is asked for alone: its answer says how to ask.
    await subject.draw([0], 1);
    const outputs = await subject.draw([0], count);
    return { outputs: [...outputs.values], most };
  } finally {
    await subject.close();
    await server.shutdown();
  }
}

// Mutants: answers in the order in which they come; a place that is given away twice; places whatever the greeting says; a failure that comes before earlier answers.
Deno.test("an endpoint has as many requests under way as it says, and its answers stay in order", async () => {
  const numbers = Array.from({ length: 40 }, (_, k) => k + 2);
  const alone = await asked(40, { greeting: '{"dpcheck":1}' });
  assertEquals(alone, { outputs: numbers, most: 1 });
  const four = await asked(40, { greeting: '{"dpcheck":1,"parallel":4}' });
  assertEquals(four.outputs, numbers);
  assertEquals(four.most > 1 && four.most <= 4, true, `${four.most}`);
});

Deno.test("an endpoint that fails at one of several requests ends with that, after the answers before it", async () => {
  await assertRejects(
    () => asked(40, { greeting: '{"dpcheck":1,"parallel":4}', failsAt: 20 }),
    SubjectFailure,
    'answered with status 503 "no rows left" before it answered request 20',
  );
});
