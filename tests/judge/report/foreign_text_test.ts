import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { DOMParser } from "linkedom";
import type { SuiteResults } from "../../../cli/suite/run_suite.ts";
import {
  suiteIndex,
  suiteJson,
  suiteJunit,
  suiteMarkdown,
  suiteTable,
} from "../../../cli/suite/suite_reports.ts";
import type { AuditReport } from "../../../lib/judge/audit/report.ts";
import { pure } from "../../../lib/core/mod.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { alignmentJson } from "../../../lib/judge/report/alignment_json.ts";
import { alignmentText } from "../../../lib/judge/report/alignment_text.ts";
import { exactJson } from "../../../lib/judge/report/exact_json.ts";
import { exactText } from "../../../lib/judge/report/exact_text.ts";
import { githubAnnotation } from "../../../lib/judge/report/github.ts";
import type { SessionReport } from "../../../lib/judge/dialogue/session_report.ts";
import type { LikelihoodRefutation } from "../../../lib/judge/exact/likelihood/refute_by_likelihood.ts";
import type { RecordReport } from "../../../lib/judge/recording/record.ts";
import { alignmentHtml } from "../../../lib/judge/report/alignment_html.ts";
import { exactHtml } from "../../../lib/judge/report/exact_html.ts";
import { timesAtMost } from "../../../lib/judge/report/report_page.ts";
import { recordHtml } from "../../../lib/judge/report/record_html.ts";
import { recordText } from "../../../lib/judge/report/record_text.ts";
import { sessionHtml } from "../../../lib/judge/report/session_html.ts";
import { sessionJson, sessionText } from "../../../lib/judge/report/session_text.ts";
import { undecidedHtml } from "../../../lib/judge/report/undecided.ts";
import { htmlReport } from "../../../lib/judge/report/html.ts";
import { jsonReport } from "../../../lib/judge/report/json.ts";
import { junitReport } from "../../../lib/judge/report/junit.ts";
import { markdownReport } from "../../../lib/judge/report/markdown.ts";
import { quoteFor } from "../../../lib/judge/report/quote_for.ts";
import { sarifReport } from "../../../lib/judge/report/sarif.ts";
import { terminalReport } from "../../../lib/judge/report/terminal.ts";
import { failed, inconclusive, notRefuted, refuted } from "./sample_reports.ts";

// Names, keys, outputs and messages of somebody else, in every report: whatever they hold, a report has the lines, elements and
// values that it has with harmless ones.

/** Parts of texts that a terminal, a runner of builds, Markdown or a browser would obey or hide. */
const foreignText = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...[
        "\n::error::x",
        "::set-output name=a::b",
        "##[error]x",
        "##vso[task.complete]",
        "\x1b[2J",
      ],
      ...["\x9b31m", "\r", "\n", "\0", "\u202e", "\u2066", "\u200b", "\ufeff", "\u2028", "\ud800"],
      ...[
        "<script>alert(1)</script>",
        "]]>",
        "<!--",
        "&amp;",
        "\"'>",
        "|",
        "`",
        "``",
        "\\",
        "#",
        "* ",
      ],
      ...["[a](javascript:x)", "https://x.y", "www.x.y", "%0A", "%25", " ", "a"],
    ),
    fc.string({ unit: fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point)) }),
  ),
  { maxLength: 6 },
).map((parts) => parts.join(""));

/** Reports with a text in every place where a text of somebody else can stand. */
function reportsWith(text: string): AuditReport[] {
  const claim = pure({ epsilon: 0.1, relation: { ...replaceOne, name: `r${text}` } });
  const places = {
    subject: `s${text}`,
    claim,
    pair: { left: [text, { [text]: text }], right: [text] },
    event: {
      ...refuted.event!,
      description: `output.${text} = ${text}`,
      conditions: [{ feature: `output.${text}`, operator: "=", value: text }] as const,
      example: { [text]: text },
    },
    replay: `dpcheck ${text}`,
    versions: { dpcheck: text },
    require: [`rows${text}`],
    except: [`output${text}`],
  };
  return [
    { ...refuted, ...places },
    { ...refuted, ...places, unconfirmed: { draws: 5, eValue: 1 } },
    { ...notRefuted, ...places },
    { ...inconclusive, ...places, reason: `every output${text}` },
    { ...failed, ...places, failure: `it said ${text}` },
  ];
}

function suiteWith(text: string): SuiteResults {
  const common = { expect: "not-refuted", evidence: 1, runs: 1, unchanged: false } as const;
  const said = { claim: `c${text}`, shown: `s${text}`, news: `n${text}` };
  return {
    results: [
      { ...common, ...said, name: text, verdict: "failed", status: 3, message: text },
      { ...common, ...said, name: `b${text}`, verdict: "not-refuted", status: 0 },
    ],
    removed: [`r${text}`],
  };
}

function exactWith(text: string): Parameters<typeof exactText>[0] {
  return {
    verdict: "refuted",
    subject: `s${text}`,
    claim: pure({ epsilon: 1, relation: replaceOne }),
    kind: "exact",
    epsilon: { lower: 2, upper: 2 },
    delta: { lower: 0, upper: 0 },
    attained: true,
    everyEpsilon: false,
    remainder: 0,
    branches: 2,
    repeats: 2,
    datasets: 2,
    pairs: 1,
    witness: {
      left: [text],
      right: [{ [text]: 1 }],
      output: text,
      probability: { left: { lower: 0, upper: 0 }, right: { lower: 1, upper: 1 } },
    },
  } as unknown as Parameters<typeof exactText>[0];
}

function alignmentWith(text: string): Parameters<typeof alignmentText>[0] {
  return {
    verdict: "not proved",
    subject: `s${text}`,
    claim: pure({ epsilon: 1, relation: replaceOne }),
    epsilon: 2,
    mu: 0,
    paths: 1,
    runs: 1,
    classes: 1,
    cases: [],
    open: [{ case: text, output: [text] }],
    unrun: [{ case: text, output: [text], conditions: [text] }],
    worst: { output: text, pair: { left: [text], right: [] } },
  } as unknown as Parameters<typeof alignmentText>[0];
}

function sessionWith(text: string): SessionReport {
  return {
    verdict: "refuted",
    subject: `s${text}`,
    claim: pure({ epsilon: 1, relation: replaceOne }),
    lifetime: "service",
    epsilonLowerBound: 2,
    confidence: 0.99,
    alpha: 0.01,
    eValue: 200,
    draws: 10,
    adversary: {
      strategies: 1,
      watched: 0,
      transcripts: 1,
      kinds: [`k${text}`],
      moves: [`m${text}`],
      most: { steps: 1, times: 1, answers: 1 },
    },
    strategy: null,
    pair: { left: [text], right: [{ [text]: 1 }] },
    script: [`ask ${text}`],
    event: { text: `e${text}`, left: 1, right: 2, of: 10, answers: [1] },
    advice: `a${text}`,
    seed: 1,
    seconds: 1,
    replay: `r${text}`,
    versions: { dpcheck: text },
  };
}

function recordWith(text: string): RecordReport {
  const pair = { left: [text], right: [{ [text]: 1 }] };
  return {
    verdict: "suspected",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    seed: 1,
    cost: 1,
    runs: 1,
    pairs: 1,
    findings: [{
      kind: "too-little-noise",
      place: `p${text}`,
      change: 2,
      pays: 1,
      cost: 2,
      pair,
      sentence: `s${text}`,
      reads: [{
        place: `p${text}`,
        what: `w${text}`,
        noise: `n${text}`,
        left: text,
        right: text,
        differs: true,
      }],
    }],
  } as unknown as RecordReport;
}

/** What no report may hold: characters that a terminal obeys or that cannot be seen. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?!\n)\p{Cc}/u;

function assertPlain(text: string): void {
  assert(!HIDDEN.test(text), JSON.stringify(text));
  assert(!/^\s*::/m.test(text), text);
  assert(!/##[a-z]*\[/i.test(text), text);
}

const linesOf = (text: string): number => text.split("\n").length;

function eachText(check: (text: string) => void): void {
  fc.assert(fc.property(foreignText, check), { seed: 17, numRuns: 150 });
}

Deno.test("what is printed at a terminal has its own lines, and nothing that a terminal or a runner obeys", () => {
  const printed = (text: string): string[] => [
    ...reportsWith(text).map((report) => terminalReport(report)),
    suiteTable({ audits: [] }, suiteWith(text)),
    exactText(exactWith(text), { seconds: 1 }),
    alignmentText(alignmentWith(text), { seconds: 1 }),
    sessionText(sessionWith(text)),
    recordText(recordWith(text), { subject: `s${text}`, seconds: 1 }),
  ];
  const lines = printed("a").map(linesOf);
  eachText((text) => {
    const all = printed(text);
    all.forEach(assertPlain);
    assertEquals(all.map(linesOf), lines);
  });
});

// Mutants: "more" beside the words of a multiple; a quotient that rounding made smaller, or larger, than a round number taken as it is.
Deno.test("the page of a recording says how many times the claim it costs, or that it is more", () => {
  for (
    const [cost, words] of [
      [2, "2 ×</p><p>the claim, if the noise is compared as it was recorded"],
      [2 - 2 ** -52, "2 ×</p>"],
      [1.05, "more</p><p>than the claim, if the noise is compared as it was recorded"],
    ] as const
  ) {
    const report = recordWith("a");
    const findings = report.findings.map((finding) => ({ ...finding, cost }));
    const page = recordHtml({ ...report, findings }, {
      subject: "s",
      seconds: 1,
      strict: false,
      version: "0",
    });
    assertStringIncludes(page, words);
  }
  assertEquals([timesAtMost(0.1 + 2 ** -55, 0.2), timesAtMost(0.11, 0.2)], ["0.5 ×", "0.55 ×"]);
});

Deno.test("an annotation is one line", () => {
  eachText((text) => {
    for (const report of reportsWith(text)) {
      const annotation = githubAnnotation(report, { file: `a${text}` });
      const [command, rest, ...others] = annotation.split("\n");
      assertEquals([rest, others], ["", []]);
      assert(/^::(error|warning|notice) file=[^:,]*,title=[^:,]*::/.test(command!), command);
      assert(!HIDDEN.test(command!), JSON.stringify(command));
    }
  });
});

Deno.test("Markdown has its own lines, and no markup of a foreign text", () => {
  const written = (text: string): string[] => [
    ...reportsWith(text).map((report) => markdownReport(report)),
    suiteMarkdown({ audits: [] }, suiteWith(text)),
  ];
  const lines = written("a").map(linesOf);
  eachText((text) => {
    const all = written(text);
    assertEquals(all.map(linesOf), lines);
    for (const one of all) assert(!HIDDEN.test(one), JSON.stringify(one));
    const bare = quoteFor("markdown", text).replaceAll(/\\[\\`*_[\]<>|#&~/.]/g, "");
    assert(!/[`*_[\]<>|#&~]|:\/\/|www\./i.test(bare), bare);
  });
});

Deno.test("pages and XML have the elements that they have with a harmless text", () => {
  const written = (text: string): string[] => [
    ...reportsWith(text).flatMap((report) => [htmlReport(report), junitReport(report)]),
    exactHtml(exactWith(text), { seconds: 1 }),
    undecidedHtml({ subject: `s${text}`, seconds: 1, claim: undefined }),
    alignmentHtml(alignmentWith(text), { seconds: 1 }),
    alignmentHtml(alignmentWith(text), {
      seconds: 1,
      refuted: {
        left: [text],
        right: [{ [text]: 1 }],
        output: text,
        loss: 2,
        rank: 0,
        likelihood: { left: { lower: 0, upper: 0 }, right: { lower: 1, upper: 1 } },
      } as unknown as LikelihoodRefutation,
    }),
    sessionHtml(sessionWith(text)),
    recordHtml(recordWith(text), {
      subject: `s${text}`,
      seconds: 1,
      strict: false,
      version: `v${text}`,
    }),
    suiteIndex({ audits: [] }, suiteWith(text)),
    suiteJunit({ audits: [] }, suiteWith(text)),
  ];
  const elements = (markup: string): string[] => {
    const type = markup.startsWith("<?xml") ? "text/xml" : "text/html";
    return [...new DOMParser().parseFromString(markup, type).querySelectorAll("*")]
      .map(({ tagName }: { readonly tagName: string }) => tagName);
  };
  const harmless = written("a").map(elements);
  eachText((text) => {
    const all = written(text);
    for (const markup of all) {
      assert(!HIDDEN.test(markup.replaceAll("\t", "")), JSON.stringify(markup));
    }
    assertEquals(all.map(elements), harmless);
  });
});

Deno.test("JSON is the same value, and nothing that a terminal or a runner obeys", () => {
  eachText((text) => {
    const sessions = sessionJson(sessionWith(text));
    assertPlain(sessions);
    assertEquals(JSON.parse(sessions).pair, JSON.parse(JSON.stringify(sessionWith(text).pair)));
    for (const report of reportsWith(text)) {
      const json = jsonReport(report);
      assertPlain(json);
      assertEquals(JSON.parse(json).pair, JSON.parse(JSON.stringify(report.pair)));
      assertEquals(JSON.parse(json).replay, report.replay);
      assertPlain(sarifReport(report));
      JSON.parse(sarifReport(report));
    }
    for (
      const json of [
        suiteJson({ audits: [] }, suiteWith(text)),
        exactJson(exactWith(text), { seconds: 1 }),
        alignmentJson(alignmentWith(text), { seconds: 1 }),
      ]
    ) {
      assertPlain(json);
      JSON.parse(json);
    }
  });
});
