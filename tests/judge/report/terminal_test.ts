import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { htmlReport } from "../../../lib/judge/report/html.ts";
import { jsonReport } from "../../../lib/judge/report/json.ts";
import { junitReport } from "../../../lib/judge/report/junit.ts";
import { markdownReport } from "../../../lib/judge/report/markdown.ts";
import { terminalReport } from "../../../lib/judge/report/terminal.ts";
import { failed, inconclusive, notRefuted, refuted } from "./sample_reports.ts";

Deno.test("terminalReport() starts with the verdict and shows the counterexample when refuted", () => {
  const text = terminalReport(refuted);
  assertMatch(text, /^REFUTED {2}python3 mean\.py does not keep its claim of 0\.1-DP/);
  for (
    const part of [
      "ε ≥ 0.1823 with 99% confidence; claimed: 0.1",
      "left   [0,1]",
      "right  [1,1]",
      "output <= 0.5",
      "50%",
      "5,000 of 10,000",
      "40%",
      "1.25 times as frequent",
      "the claim allows 1.105 times",
      refuted.replay,
    ]
  ) assert(text.includes(part), `${part} is not in:\n${text}`);
});

// Mutants: a side without a hit is enough; chance is left out.
Deno.test("terminalReport() claims a difference of the sides only where the counts show one", () => {
  const advice = (left: number, right: number): string =>
    terminalReport({
      ...refuted,
      event: {
        ...refuted.event!,
        left: { draws: 5000, hits: left },
        right: { draws: 5000, hits: right },
      },
    }).match(/The event .*?(?=[;.](?!\d))/)![0];
  for (const [left, right] of [[0, 0], [2, 0], [11, 9], [5000, 5000], [2500, 2600]]) {
    assertEquals(
      advice(left!, right!),
      "The event was about as frequent on one dataset as on the other",
    );
  }
  assertEquals(advice(0, 30), "The event was seen on one dataset only");
  assertMatch(advice(2500, 2000), /^The event is 1\.25 times as frequent/);
});

// Mutants: rounded to the nearest or up, the rates swapped, rates as they were observed in place of their bounds, an event on one side only taken for a total leak.
Deno.test("terminalReport() says in the headline how many times the claim is leaked, never more than the bound shows", () => {
  const headline = (epsilonLowerBound: number, hits: readonly [number, number] = [500, 400]) => {
    const [left, right] = hits.map((each) => ({ draws: 1000, hits: each }));
    const event = { ...refuted.event!, left: left!, right: right! };
    return terminalReport({ ...refuted, epsilonLowerBound, event }).split("\n")[0]!;
  };
  assertMatch(headline(0.101), /: it leaks more$/);
  assertMatch(headline(0.2599), /: it leaks at least 2\.5 times as much$/);
  // A bound of which doubles lost the last bit.
  assertMatch(headline(0.2 - 2 ** -55), /: it leaks at least 2 times as much$/);
  assertMatch(headline(1.99), /: it leaks at least 10 times as much$/);
  assertMatch(
    headline(7, [1000, 0]),
    /: one output tells the two datasets below apart nearly always$/,
  );
  assertMatch(headline(7, [0, 1000]), /nearly always$/);
  // Rates that were observed are no bounds on the probabilities behind them: 995 of 1,000 are too few for 99%.
  assertMatch(headline(7, [995, 3]), /: it leaks at least 70 times as much$/);
  assertMatch(headline(7, [300, 0]), /: it leaks at least 70 times as much$/);
  assert(!terminalReport(notRefuted).split("\n")[0]!.includes("leaks"));
});

// Mutants: an object in the place of its name, the bound of the counts left out or rounded to the nearest.
Deno.test("htmlReport() and terminalReport() show texts in every row, and the ε of the counts rounded down", () => {
  const report = { ...refuted, event: { ...refuted.event!, epsilonLowerBound: 0.18999 } };
  for (const each of [refuted, notRefuted, inconclusive, failed, report]) {
    for (const write of [htmlReport, terminalReport]) {
      assert(!/\[object|undefined|NaN/.test(write(each)), write(each));
    }
  }
  for (const write of [htmlReport, terminalReport]) {
    assertMatch(write(report), /0\.189\b/);
    assert(!write(report).includes("0.19"));
  }
  assertMatch(htmlReport(refuted), /one row is replaced by another/);
});

Deno.test("terminalReport() and htmlReport() set thousands apart in e-values", () => {
  for (const write of [terminalReport, htmlReport]) {
    assertStringIncludes(write({ ...refuted, eValue: 42_931.5 }), "42,930");
    assertStringIncludes(write({ ...refuted, eValue: 1.5e9 }), "1.5e9");
  }
});

// Mutants: the draws of an event left out, or taken for those of the verdict; said where both are the same.
Deno.test("terminalReport() says which draws the verdict rests on, and which an event was counted on", () => {
  assertStringIncludes(terminalReport({ ...refuted, draws: 1 }), " 1 draw on ");
  assertStringIncludes(
    terminalReport(refuted),
    "\nVerdict by 20,000 draws on 14 pairs in 1.25 s, seed 7; event counted on 20,000 draws more\n",
  );
  const rare = { ...refuted, event: { ...refuted.event!, rare: true as const } };
  assertMatch(terminalReport(rare), /\n20,000 draws on 14 pairs in [\d.]+ s, seed 7\n/);
});

Deno.test("every report of an inconclusive run says so and gives the reason", () => {
  const text = terminalReport(inconclusive);
  assertMatch(text, /^INCONCLUSIVE {2}/);
  assertMatch(text, /Every output was null: the program may lack a return statement\./);
  assert(htmlReport(inconclusive).includes('class="inconclusive">INCONCLUSIVE'));
  assertMatch(junitReport(inconclusive), /errors="1"[^]*<error type="inconclusive"/);
  assertEquals(JSON.parse(jsonReport(inconclusive)).verdict, "inconclusive");
});

const halves =
  "Found on one half of the recorded outputs, dealt at random, and counted on the other.";

// Mutants: said of all events, of none, on one of the pages only.
Deno.test("terminalReport() and htmlReport() say where an event of recorded outputs was counted", () => {
  const recorded = { ...refuted, event: { ...refuted.event!, halves: true as const } };
  for (const write of [terminalReport, htmlReport]) {
    assert(write(recorded).includes(halves));
    assert(!write(refuted).includes(halves));
  }
});

// Mutant: the same heading for both.
Deno.test("terminalReport() names an event in the heading only where there is one", () => {
  assert(terminalReport(notRefuted).includes("\nPair and event that came closest\n"));
  assert(terminalReport({ ...notRefuted, event: null }).includes("\nPair that came closest\n"));
});

Deno.test("terminalReport() says what was shown and what was not seen when not refuted", () => {
  const text = terminalReport(notRefuted);
  assertMatch(text, /^NOT REFUTED/);
  for (
    const part of [
      "ε ≥ 0.09719 of the claimed 0.1",
      "above ε = 0.1032",
      "90% power",
      "on this pair, in an event that half of the outputs have, would have been seen",
      "An event that only one dataset of the last pair has is refuted with 90% power if its probability there is 0.00023 or more and it is a value",
      "The audit did not look at the bits of floating-point outputs",
      "never proves privacy",
    ]
  ) assert(text.includes(part), `${part} is not in:\n${text}`);
  assert(!text.includes("Counterexample"));
  assert(!/\bis private\b/i.test(text));
  assert(!terminalReport({ ...notRefuted, bits: true }).includes("bits of floating-point"));
  assert(!terminalReport({ ...notRefuted, detectableShare: 0 }).includes(" 0% of the outputs"));
});

// Mutant: an event within the claim is shown as if it were one.
Deno.test("terminalReport() says where no single event exceeds the claim", () => {
  const says = (event: typeof refuted.event): boolean =>
    terminalReport({ ...refuted, event }).includes(
      "No single event was found that exceeds the claim",
    );
  assert(!says({ ...refuted.event!, exceedsClaim: true }));
  assert(says({ ...refuted.event!, exceedsClaim: false }));
  assert(says(null));
});

// Mutants: noise that is no cause between them; advice before the cause.
Deno.test("every report says what to do right under the counterexample, or under its cause", () => {
  const noise = { verdict: "nothing found", findings: [], cost: 0.1, runs: 1, pairs: 1, seed: 1 };
  const finding = {
    sentence: "the cause",
    kind: "more",
    place: "",
    pair: { left: [], right: [1] },
  };
  const ofNoise = { ...refuted, recording: noise } as unknown as typeof refuted;
  const ofCause = {
    ...refuted,
    recording: { ...noise, verdict: "suspected", findings: [finding] },
  } as unknown as typeof refuted;
  const advice = "as frequent on one dataset";
  for (const write of [terminalReport, markdownReport]) {
    const plain = write(ofNoise), caused = write(ofCause);
    assert(plain.indexOf(advice) < plain.indexOf("Watched noise"), plain);
    assert(caused.indexOf("the cause") < caused.indexOf(advice), caused);
  }
});

Deno.test("terminalReport() says what the program did when it failed", () => {
  const text = terminalReport(failed);
  assertMatch(text, /^FAILED/);
  assert(text.includes("out of luck"));
  assert(!text.includes("ε ≥"));
});

Deno.test("terminalReport() rounds the lower bound down, never up", () => {
  const bound = (epsilonLowerBound: number): string =>
    terminalReport({ ...refuted, epsilonLowerBound }).match(/ε ≥ (\S+)/)![1]!;
  assertEquals(bound(0.18239), "0.1823");
  assertEquals(bound(12.3499), "12.34");
  assertEquals(bound(0.000123456), "0.0001234");
  assertEquals(bound(0), "0");
  assertEquals(bound(Infinity), "∞");
});

Deno.test("terminalReport() has escape sequences only when color is asked for", () => {
  for (const report of [refuted, notRefuted]) {
    assert(!terminalReport(report).includes("\x1b"));
    assert(terminalReport(report, { color: true }).includes("\x1b[1m"));
  }
});

Deno.test("terminalReport() cuts long datasets and names their length", () => {
  const left = Array.from({ length: 1000 }, (_, i) => i);
  const text = terminalReport({ ...refuted, pair: { left, right: [] } });
  assert(text.includes(`… (${JSON.stringify(left).length} characters)`));
});

// Mutants: rounded to the nearest, or without a bound of 1.
Deno.test("terminalReport() rounds the smallest event probability up", () => {
  for (
    const [probability, said] of [
      [0.00023, "0.00023"],
      [0.000230001, "0.00024"],
      [0.0991, "0.1"],
      [0.9951, "1"],
      [3e-9, "3e-9"],
    ] as const
  ) {
    const text = terminalReport({ ...notRefuted, smallestEventProbability: probability });
    assert(text.includes(`probability there is ${said} or more`), `${probability}: ${text}`);
  }
  const text = terminalReport({ ...notRefuted, smallestEventProbability: 1 });
  assert(text.includes("too few to refute an event that only one dataset has"), text);
});

// Mutants: nothing is said; a run that says nothing does not say why; the number cut off is that of all.
Deno.test("terminalReport() says what more draws would show, and what the limit of time cut", () => {
  const slow = {
    longerRun: { draws: 5200, detectableEpsilon: 2.104 },
    cut: [
      { what: "draws for the verdict", done: 860, of: 50_000 },
      { what: "draws for an event", done: 0, of: 5000 },
    ],
  };
  const sentence =
    "These are few draws. A violation of that kind above ε = 2.11 would be seen by --max-draws 5200.";
  const cut =
    "The limit of time (--max-seconds) cut draws for the verdict after 860 of 50,000; draws for an event after 0 of 5,000.";
  for (const report of [notRefuted, inconclusive, refuted, failed]) {
    assertStringIncludes(terminalReport({ ...report, ...slow }), cut);
    assert(!terminalReport(report).includes("limit of time"));
  }
  assertStringIncludes(terminalReport({ ...notRefuted, ...slow }), sentence);
  assertStringIncludes(terminalReport({ ...inconclusive, ...slow }), sentence);
  for (
    const report of [
      notRefuted,
      { ...refuted, ...slow },
    ]
  ) assert(!terminalReport(report).includes("few draws"));
});
