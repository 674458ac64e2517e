import { pure, relationOf, zcdp } from "../../../lib/core/mod.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DOMParser } from "linkedom";
import { eventRegion, satisfies } from "../../../lib/judge/report/figures/event_region.ts";
import { htmlReport } from "../../../lib/judge/report/html.ts";
import { reportFigures } from "../../../lib/judge/report/report_figures.ts";
import { auditedReport, kinds } from "./audited_reports.ts";
import { refuted } from "./sample_reports.ts";

// linkedom has types of its own, and not the browser's.
// deno-lint-ignore no-explicit-any
function figuresOf(markup: string): any[] {
  return [
    ...new DOMParser().parseFromString(`<main>${markup}</main>`, "text/html")
      .querySelectorAll("figure"),
  ];
}

const PLOTS = [
  "ε beside the claim",
  "Lower bound on ε over draws",
  "Evidence over draws",
  "Trade-off found and claimed",
  "What so many draws would have seen",
];

const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  "refuted, numbers": ["Outputs", ...PLOTS],
  "refuted, values": ["Outputs", ...PLOTS],
  "refuted, texts": ["Outputs", ...PLOTS],
  "not refuted": ["Outputs", ...PLOTS],
  "inconclusive": ["Outputs", ...PLOTS],
  "failed": [],
};

for (const kind of kinds) {
  // Mutants: an image without its text; a plot of nothing; a curve that is left out; markup of an output taken for ours.
  Deno.test(`reportFigures() draws what an audit saw: ${kind}`, async () => {
    const report = await auditedReport(kind);
    assertEquals(report.verdict, kind.startsWith("refuted") ? "refuted" : kind.replace(" ", "-"));
    const markup = await reportFigures(report);
    const figures = figuresOf(markup);
    assertEquals(figures.map((figure) => figure.querySelector("h3").textContent), [
      ...EXPECTED[kind]!,
    ]);
    for (const figure of figures) {
      const title = figure.querySelector("h3").textContent;
      const image = figure.querySelector("svg"),
        says = figure.querySelector("figcaption").textContent;
      assertEquals(image === null, kind === "refuted, texts" && title === "Outputs", title);
      if (image !== null) {
        assertEquals([image.getAttribute("role"), image.getAttribute("aria-label")], ["img", says]);
        const drawn = image.querySelectorAll("path, rect, line, circle");
        assert(drawn.length > 5, title);
        assert(![...drawn].some((part) => /NaN|Infinity/.test(part.outerHTML)), title);
      }
      assert(figure.querySelectorAll("tbody tr").length > 0, title);
      assert(!/NaN|undefined/.test(says), says);
    }
    assertEquals(figuresOf(markup).flatMap((figure) => [...figure.querySelectorAll("b")]), []);
    assert(
      !htmlReport(report, { figures: markup }).includes("a message with a secret") ||
        kind === "failed",
    );
  });
}

// Mutants: the sides exchanged; the event not shaded, or shaded on the other side of its threshold.
Deno.test("the figure of outputs has the shares of both datasets, and the event in its place", async () => {
  const report = await auditedReport("refuted, values");
  const { cells, draws } = report.details!.outputs!;
  const share = (label: string, side: "left" | "right"): number =>
    cells.find((cell) => cell.label === label)![side] / draws[side];
  assert(share("true", "right") > 0.85 && share("true", "left") < 0.15);
  const [figure] = figuresOf(await reportFigures(report));
  const { conditions, description } = report.event!;
  assertStringIncludes(
    figure.querySelector("figcaption").textContent,
    `Shaded: the event, ${description}`,
  );
  const shaded = [...figure.querySelectorAll('g[fill="var(--event)"] rect')];
  const hits = cells.filter(({ label }) => satisfies(conditions, { feature: "output", label }));
  assertEquals([shaded.length, hits.length], [1, 1]);

  // Mutants: an error taken for its complement; the claimed curve in its place.
  const tradeOff = figuresOf(await reportFigures(report))
    .find((each) => each.querySelector("h3").textContent.startsWith("Trade-off"));
  const [alarms, missed, allowed] = [
    ...tradeOff.querySelector("figcaption").textContent.matchAll(/([\d.]+)%/g),
  ].map(([, number]) => Number(number));
  assert(
    Math.min(alarms!, missed!) > 5 && Math.max(alarms!, missed!) < 15 && allowed! > 50,
    `${alarms} ${missed} ${allowed}`,
  );

  const numbers = await auditedReport("refuted, numbers");
  const [histogram] = figuresOf(await reportFigures(numbers));
  const region = eventRegion(numbers.event!.conditions, "output")!;
  const bins = numbers.details!.outputs!.cells.filter(({ from }) => from !== undefined);
  const low = bins[0]!.from!, high = bins.at(-1)!.to!;
  const expected = (Math.min(high, region.to) - Math.max(low, region.from)) / (high - low);
  const width = Number(
    histogram.querySelector('g[fill="var(--event)"] rect').getAttribute("width"),
  );
  // The axis is 320 pixels wide: the plot less its margins, and bars have an inset of a pixel.
  assert(Math.abs(width / 320 - expected) < 0.02, `${width / 320} ${expected}`);
});

Deno.test("eventRegion() and satisfies() read conditions as the engine does", () => {
  const above = { feature: "output", operator: ">", value: 1 } as const;
  const upTo = { feature: "output", operator: "<=", value: 2 } as const;
  assertEquals(eventRegion([above, upTo], "output"), { from: 1, to: 2 });
  assertEquals(eventRegion([above], "length"), undefined);
  assertEquals(eventRegion([], "output"), undefined);
  for (const [label, holds] of [["1", false], ["1.5", true], ["2", true], ["3", false]] as const) {
    assertEquals(satisfies([above, upTo], { feature: "output", label }), holds, label);
  }
  const no = { feature: "output", operator: "<=", value: 0.5 } as const;
  assertEquals(satisfies([no], { feature: "output", label: "false" }), true);
  assertEquals(satisfies([no], { feature: "output", label: "true" }), false);
});

Deno.test("reportFigures() is empty without details", async () => {
  assertEquals(await reportFigures(refuted), "");
});

// Mutants: more promised than the bound shows; a bound that is rounded onto the claim.
Deno.test("htmlReport() says in one sentence what anybody can read, and no more than the bound", async () => {
  const sentence = (epsilonLowerBound: number): string =>
    new DOMParser().parseFromString(htmlReport({ ...refuted, epsilonLowerBound }), "text/html")
      .querySelector(".plain").textContent;
  assertMatch(sentence(0.1), / are more than 1\.1 times as likely .* none is more than 1\.1 times/);
  assertMatch(sentence(Math.log(3.009)), / at least 3 times as likely/);
  assertMatch(sentence(0.10001), / at least 1\.1051\d* times/);
  assertMatch(sentence(100), / at least 999 trillion times/);
  const claim = pure({ epsilon: 1e-6, relation: refuted.claim.relation });
  const small = { ...refuted, claim, epsilonLowerBound: 6 };
  const said = htmlReport(small);
  assertMatch(said, /none is more than 1\.000001 times/);
  assertMatch(said, /6,000,000 ×/);
  assertMatch(said, /the claim allows hardly any difference/);
  const page = htmlReport(await auditedReport("failed"));
  assertStringIncludes(page, "failed could not be tested.");
});

// Mutant: a single row under every relation, where the pair of a user differs in several.
Deno.test("htmlReport() says what neighbours differ in, where it is not one row", () => {
  const sentence = (name: string, change: "pure" | "zcdp"): string => {
    const relation = relationOf(name);
    const claim = change === "pure"
      ? pure({ epsilon: 0.1, relation })
      : zcdp({ rho: 0.1, relation });
    return new DOMParser().parseFromString(htmlReport({ ...refuted, claim }), "text/html")
      .querySelector(".plain").textContent;
  };
  for (const name of ["user:id", "label:ill", "rows:3", "change-each-by-1", "edge", "asserted"]) {
    const { description } = relationOf(name);
    assertStringIncludes(sentence(name, "pure"), `on a neighbour, where ${description};`);
    assertStringIncludes(
      sentence(name, "zcdp"),
      `tell more than it promises where ${description}.`,
    );
  }
  assertStringIncludes(sentence("add-remove-one", "zcdp"), "about a single row of the data");
});
