import * as Plot from "@observablehq/plot";
import type { EventReport } from "../../audit/counterexample/event_report.ts";
import type { AuditReport } from "../../audit/report.ts";
import { clopperPearsonLower, clopperPearsonUpper } from "../../../core/numeric/clopper_pearson.ts";
import { boundOf, claimedParameter, inPercent, roundedDown } from "../bound.ts";
import { roundedUp, shortNumber } from "../short_number.ts";
import { drawPlot } from "./draw_plot.ts";
import type { Figure } from "./figure_markup.ts";

/** An interval on the axis of ε. */
interface Interval {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly estimate?: number;
}

/** Returns the bound of a report beside its claim, and the ε that the counts of its event imply, with an interval. */
export function epsilonFigure(report: AuditReport): Figure {
  const { symbol, value } = claimedParameter(report);
  const shown: Interval = { name: "shown", low: report.epsilonLowerBound, high: Infinity };
  const implied = impliedBy(report);
  const intervals = implied === undefined ? [shown] : [shown, implied];
  const confidence = inPercent(report.confidence);
  const says =
    `Claimed: ${symbol} = ${value}. Shown with ${confidence} confidence: ${boundOf(report)}.` +
    (implied === undefined
      ? ""
      : ` The event's counts imply ε between ${shortNumber(implied.low, 3)} and ${
        shortNumber(implied.high, 3)
      } (${confidence}, Clopper and Pearson 1934, if outputs are independent), ${
        shortNumber(implied.estimate!, 3)
      } as they stand.`);
  const finite = [
    value,
    ...intervals.flatMap(({ low, high, estimate = 0 }) => [low, high, estimate]),
  ]
    .filter((x) => x < 1e6);
  const most = 1.25 * Math.max(...finite);
  const lines = intervals.map((interval) => ({
    ...interval,
    low: Math.min(interval.low, most),
    high: Math.min(interval.high, most),
  }));
  const image = drawPlot({
    says,
    height: 150,
    marginLeft: 60,
    marginTop: 30,
    x: { domain: [0, most], label: symbol, grid: true, ticks: 5 },
    y: { domain: intervals.map(({ name }) => name), label: null, type: "point", padding: 0.7 },
    marks: [
      Plot.ruleX([value], { stroke: "currentColor", strokeDasharray: "4 3", strokeWidth: 2 }),
      Plot.text([value], { x: (x) => x, frameAnchor: "top", dy: -14, text: () => "claimed" }),
      Plot.link(lines, {
        x1: "low",
        x2: "high",
        y1: "name",
        y2: "name",
        stroke: "var(--shown)",
        strokeWidth: 6,
      }),
      Plot.dot(lines.filter(({ estimate }) => estimate !== undefined && estimate <= most), {
        x: "estimate",
        y: "name",
        r: 6,
        fill: "currentColor",
      }),
    ],
  });
  return {
    title: `${symbol} beside the claim`,
    image,
    says,
    heads: ["", "from", "to"],
    rows: [
      ["claimed", String(value), String(value)],
      ...intervals.map(({ name, low, high }) => [
        name,
        shortNumber(roundedDown(Math.max(0, low), 4)),
        roundedUp(high, 4),
      ]),
    ],
  };
}

/** The ε of the event, for claims about ε: in the direction in which the counts differ. */
function impliedBy({ claim, event, alpha }: AuditReport): Interval | undefined {
  if (event === null || (claim.kind !== "pure" && claim.kind !== "approximate")) return undefined;
  const delta = claim.kind === "approximate" ? claim.delta : 0;
  const [more, less] = sidesByRate(event);
  if (more.draws === 0 || less.draws === 0) return undefined;
  const observed = ({ hits, draws }: { hits: number; draws: number }) => ({
    successes: hits,
    trials: draws,
    // Four bounds are used together.
    alpha: alpha / 4,
  });
  const epsilonOf = (p: number, q: number): number =>
    p <= delta ? 0 : Math.max(0, Math.log((p - delta) / q));
  return {
    name: "event",
    low: epsilonOf(clopperPearsonLower(observed(more)), clopperPearsonUpper(observed(less))),
    high: epsilonOf(clopperPearsonUpper(observed(more)), clopperPearsonLower(observed(less))),
    estimate: epsilonOf(more.hits / more.draws, less.hits / less.draws),
  };
}

function sidesByRate({ left, right }: EventReport): [EventReport["left"], EventReport["left"]] {
  return left.hits * right.draws >= right.hits * left.draws ? [left, right] : [right, left];
}
