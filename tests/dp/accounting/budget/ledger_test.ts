import { assert, assertEquals, assertThrows } from "@std/assert";
import { dirname } from "node:path";
import { type Budget, openBudget } from "../../../../lib/dp/accounting/budget/budget.ts";
import { openLedger } from "../../../../lib/dp/accounting/budget/ledger.ts";
import { lossesOf } from "../../../../lib/dp/accounting/loss_distribution/known_losses.ts";
import { sampledClaim } from "../../../../lib/dp/accounting/sampling/sampled_claim.ts";
import {
  type Claim,
  claimToJSON,
  deltaAt,
  describeClaim,
} from "../../../../lib/core/claims/claim.ts";
import {
  approximate,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../../../lib/core/claims/claim_of_amounts.ts";
import { addRemoveOne as relation, replaceOne } from "../../../../lib/core/relations/relation.ts";

const one = pure({ epsilon: 1, relation }), half = pure({ epsilon: 0.5, relation });
const quarter = pure({ epsilon: 0.25, relation });

/** Runs `use` with a path in a new folder. */
async function withFile(use: (path: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(`${folder}/ledger.jsonl`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs `ledger_process.ts` and returns the lines that it puts out. */
async function linesOf(
  args: readonly string[],
  start = `exec "$@"`,
): Promise<{ drawn: number; last: string; signal: string | null }> {
  const file = new URL("ledger_process.ts", import.meta.url).pathname;
  const run = [Deno.execPath(), "run", "-A", "--quiet", "--no-check", file, ...args];
  const { stdout, signal } = await new Deno.Command("sh", { args: ["-c", start, "sh", ...run] })
    .output();
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  const drawn = lines.filter((line) => line === "drawn").length;
  return { drawn, last: lines.at(-1)!, signal };
}

/** Calls `other` once, after a spend has looked at the file and before it writes. */
function whileSpending(spend: () => void, other: () => void): void {
  const made = crypto.randomUUID;
  crypto.randomUUID = () => {
    crypto.randomUUID = made;
    other();
    return made.call(crypto);
  };
  try {
    spend();
  } finally {
    crypto.randomUUID = made;
  }
}

Deno.test("openLedger() counts what openBudget() counts, under every kind of limit, and so does whoever opens it again", async () => {
  const claims: readonly Claim[] = [
    pure({ epsilon: "0.1", relation }),
    pure({ epsilon: 0.1, relation }),
    gaussian({ mu: 0.1, relation }),
    zcdp({ rho: 1 / 3e3, relation }),
    approximate({ epsilon: 0.01, delta: 1e-9, relation }),
    sampledClaim(one, { rate: 0.01, count: 2, delta: 1e-8 }),
  ];
  const limits: readonly (readonly [Claim, { slack?: number }])[] = [
    [pure({ epsilon: "0.7", relation }), {}],
    [approximate({ epsilon: 3, delta: 1e-5, relation }), {}],
    [approximate({ epsilon: 3, delta: 1e-5, relation }), { slack: 5e-6 }],
    [zcdp({ rho: 0.1, relation }), {}],
    [renyi({ order: 4, epsilon: 2, relation }), {}],
    [gaussian({ mu: 1, relation }), {}],
  ];
  for (const [limit, options] of limits) {
    await withFile((path) => {
      const budget = openBudget(limit, options);
      const ledger = openLedger(path, { limit, ...options });
      for (const claim of [...claims, ...claims]) {
        const fits = budget.canSpend(claim);
        assertEquals(ledger.canSpend(claim), fits);
        if (fits) { for (const each of [budget, ledger]) each.spend(claim, [quarter]); }
      }
      const again = openLedger(path, { limit, ...options });
      for (const each of [ledger, again]) {
        assertEquals(each.remaining, budget.remaining);
        assertEquals(each.ledger.length, budget.ledger.length);
      }
      assert(deltaAt(again.ledger[0]!, 0) > 0);
    });
  }
});

// Mutants: no look at the file after the append, by which this test draws 61 of 60 parts now and then, and the next one fails always.
Deno.test("releases of three processes at once use up the limit, and never more", async () => {
  await withFile(async (path) => {
    const runs = await Promise.all([1, 2, 3].map(() => linesOf([path, "60"])));
    assertEquals(runs.reduce((sum, { drawn }) => sum + drawn, 0), 60);
    for (const { last } of runs) assert(last.startsWith("Cannot spend: the claim must fit"), last);
  });
});

// Mutants: no look at the file after the append; a refusal that is not taken back; what others spent after the look left out.
Deno.test("spend() holds by its place in the file, where another process spends in between", async () => {
  const cases: readonly { first: Claim; left: number }[] = [
    { first: quarter, left: 0.25 }, // both
    { first: one, left: 0 }, // the first alone
    { first: pure({ epsilon: 0.75, relation }), left: 0.25 },
  ];
  for (const { first, left } of cases) {
    await withFile((path) => {
      const [mine, other] = [1, 2].map(() => openLedger(path, { limit: one })) as [Budget, Budget];
      const spend = () => whileSpending(() => mine.spend(half), () => other.spend(first));
      if (first === quarter) spend();
      else assertThrows(spend, RangeError, "must fit what is left of the budget");
      for (const budget of [mine, other, openLedger(path, { limit: one })]) {
        assertEquals(describeClaim(budget.remaining), `${left}-DP`);
        assertEquals(budget.ledger.length, first === quarter ? 2 : 1);
      }
      if (left > 0) mine.spend(quarter);
    });
  }
});

// Mutant: what is left of δ put into a claim where it is below 0.
Deno.test("a spend that came too late and was not taken back leaves nothing, and refusals say so", async () => {
  await withFile((path) => {
    const each = approximate({ epsilon: 0.1, delta: 7e-7, relation });
    for (const options of [{}, { slack: 5e-7 }]) {
      const limit = approximate({ epsilon: 1, delta: 1e-6 + (options.slack ?? 0), relation });
      const open = () => openLedger(`${path}${options.slack}`, { limit, ...options });
      const [mine, other] = [open(), open()];
      whileSpending(() => assertThrows(() => mine.spend(each), RangeError), () => {
        other.spend(each);
        // Killed before it could say that it was refused.
        const spend = JSON.stringify({ ...claimToJSON(each), spend: "late" });
        Deno.writeTextFileSync(`${path}${options.slack}`, `\n${spend}`, { append: true });
      });
      assertEquals(describeClaim(mine.remaining), "(0, 0)-DP");
      assertThrows(() => mine.spend(quarter), RangeError, "left of the budget, nothing");
    }
  });
});

// Mutant: the cost rounded up in the file, which another spend then never fits beside.
Deno.test("a claim that keeps its losses takes all of a limit that is just its cost", async () => {
  await withFile((path) => {
    const claim = sampledClaim(gaussian({ mu: 0.1, relation }), {
      rate: 0.5,
      count: 3,
      delta: 1e-5,
    });
    const limit = lossesOf(claim)!.alsoKeeps![0]!;
    openLedger(path, { limit }).spend(claim);
    assertEquals(deltaAt(openLedger(path, { limit }).remaining, 0), 0);
  });
});

// Mutants: amounts of such lines not read; numbers of such lines counted as doubles, by which this one is above its limit.
Deno.test("a ledger that an earlier version wrote is read, and spent from", async () => {
  await withFile((path) => {
    const lines = [
      '{"ledger":1,"kind":"pure","epsilon":1,"relation":"add-remove-one","host":"here"}',
      ...["a", "b", "c"].map((spend) =>
        `{"at":"2026-01-01T00:00:00.000Z","kind":"pure","epsilon":0.1,"relation":"add-remove-one","spend":"${spend}"}`
      ),
      '{"at":"2026-01-01T00:00:00.000Z","kind":"pure","epsilon":0.5,"relation":"add-remove-one","charged":["1p-2"],"spend":"d"}',
    ];
    Deno.writeTextFileSync(path, lines.map((line) => `\n${line}`).join(""));
    const ledger = openLedger(path, { limit: one, host: "here" });
    assertEquals(describeClaim(ledger.remaining), "0.45-DP");
    for (const epsilon of [0.1, 0.1, 0.25]) ledger.spend(pure({ epsilon, relation }));
    assertEquals(describeClaim(openLedger(path, { limit: one, host: "here" }).remaining), "0-DP");
  });
});

// Mutant: noise drawn before the budget pays.
Deno.test("a process that is killed between spending and drawing has spent", async () => {
  await withFile(async (path) => {
    const { drawn, signal } = await linesOf([path, "4", "kill"]);
    assertEquals([drawn, signal], [1, "SIGKILL"]);
    const ledger = openLedger(path, { limit: one });
    assertEquals(ledger.remaining, half);
    // Nothing is left behind that would keep others out.
    ledger.spend(half);
  });
});

Deno.test("a full disk refuses the release, and what was spent before stays spent", async () => {
  await withFile(async (path) => {
    // Files may grow to a kilobyte or two; the signal would end the process.
    const { drawn, last } = await linesOf([path, "100"], `trap "" XFSZ; ulimit -f 2; exec "$@"`);
    assert(drawn > 0 && drawn < 20, `${drawn} releases`);
    assert(last.startsWith("Cannot write a ledger:"), last);
    const ledger = openLedger(path, { limit: one });
    assertEquals(ledger.ledger.length, drawn);
    ledger.spend(half);
    assertEquals(openLedger(path, { limit: one }).ledger.length, drawn + 1);
  });
});

// Mutants: records that do not begin with the end of a line; a line that broke off refused, or skipped while it may still be in writing.
Deno.test("a line that broke off at any byte costs nothing, and spoils no other", async () => {
  await withFile((path) => {
    const budget = openLedger(path, { limit: one });
    budget.spend(quarter);
    const before = Deno.readFileSync(path).length;
    budget.spend(quarter);
    const whole = Deno.readFileSync(path);
    for (let end = before; end <= whole.length; end += 1 + (end % 11)) {
      const cut = `${path}.${end}`;
      Deno.writeFileSync(cut, whole.subarray(0, end));
      const early = openLedger(cut, { limit: one });
      assertEquals(early.remaining, pure({ epsilon: end < whole.length ? 0.75 : 0.5, relation }));
      // The rest may come while others read.
      const slow = `${path}.slow`;
      Deno.writeFileSync(slow, whole.subarray(0, end));
      const reader = openLedger(slow, { limit: one });
      Deno.writeFileSync(slow, whole.subarray(end), { append: true });
      assertEquals(reader.remaining, half);
      // Or never.
      early.spend(half);
      assertEquals(openLedger(cut, { limit: one }).ledger.length, end < whole.length ? 2 : 3);
    }
  });
});

// Mutants: the file made when it is opened; another limit taken where the file came later, or after one refusal.
Deno.test("a ledger is a file from the first spend on, and belongs to who spent first", async () => {
  await withFile((path) => {
    const [first, second] = [1, 2].map(() => openLedger(path, { limit: one })) as [Budget, Budget];
    const other = openLedger(path, { limit: half });
    assertEquals([first.remaining, first.ledger], [one, []]);
    assertThrows(() => first.spend(pure({ epsilon: 2, relation })), RangeError);
    assert(!first.canSpend(pure({ epsilon: 2, relation })));
    assertThrows(() => Deno.statSync(path), Deno.errors.NotFound);
    first.spend(half);
    second.spend(quarter);
    for (const each of [first, second]) assertEquals(describeClaim(each.remaining), "0.25-DP");
    for (let i = 0; i < 2; i++) {
      assertThrows(() => other.spend(quarter), RangeError, "limit and slack must be");
    }
    assertEquals(openLedger(path, { limit: one }).ledger.length, 2);
  });
});

Deno.test("openLedger() refuses another limit, another machine, other files and lines that no ledger wrote", async () => {
  await withFile((path) => {
    const budget = openLedger(path, { limit: one, host: "here" });
    budget.spend(pure({ epsilon: 0.125, relation }));
    const other = pure({ epsilon: 1, relation: replaceOne });
    for (const limit of [half, other, approximate({ epsilon: 1, delta: 0, relation })]) {
      assertThrows(() => openLedger(path, { limit, host: "here" }), RangeError, "limit and slack");
    }
    assertThrows(() => openLedger(path, { limit: one, host: "there" }), RangeError, "on here");
    const text = Deno.readTextFileSync(path);
    for (
      const line of ["spent", '{"at":1}', '{"kind":"pure","epsilon":-1,"spend":"a"}', "{}}", "1"]
    ) {
      Deno.writeTextFileSync(`${path}.2`, `${text}\n${line}`);
      const open = () => openLedger(`${path}.2`, { limit: one, host: "here" });
      assertThrows(open, RangeError, "line 4 of", line);
    }
    Deno.writeTextFileSync(`${path}.3`, "notes\n");
    assertThrows(() => openLedger(`${path}.3`, { limit: one }), RangeError, "line 1 of");
    Deno.writeTextFileSync(`${path}.4`, '{"a":1}\n');
    assertThrows(() => openLedger(`${path}.4`, { limit: one }), RangeError, "must be one");
    assertThrows(() => openLedger(`${path}/none`, { limit: one }), Error);
    // A pipe has no end until somebody writes to it.
    new Deno.Command("mkfifo", { args: [`${path}.5`] }).outputSync();
    for (const none of [dirname(path), `${path}.5`]) {
      assertThrows(() => openLedger(none, { limit: one }), Error, "file");
    }
    // While it is open.
    budget.spend(quarter);
    Deno.truncateSync(path, text.length);
    assertThrows(() => budget.spend(quarter), RangeError, "replaced or cut");
    Deno.renameSync(`${path}.2`, path);
    assertThrows(() => budget.remaining, RangeError, "replaced or cut");
    assert(!budget.canSpend(quarter));
  });
});

Deno.test("a ledger refuses purposes that are no texts before anything is spent", async () => {
  await withFile((path) => {
    const budget = openLedger(path, { limit: one });
    const wrong = (options: unknown): never => options as never;
    for (const options of [null, { purpose: 5 }, { purposes: ["mean"] }]) {
      assertThrows(() => budget.spend(half, [], wrong(options)), TypeError, "Cannot call spend()");
    }
    for (const options of [{ purposes: "mean" }, { purposes: [5] }, { purpose: "mean" }]) {
      assertThrows(
        () => budget.spendAll([half], wrong(options)),
        TypeError,
        "Cannot call spendAll()",
      );
    }
    assertEquals(budget.ledger, []);
  });
});
