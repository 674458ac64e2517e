import type { EventReport } from "../audit/counterexample/event_report.ts";
import { shareText } from "../../core/numeric/share_text.ts";
import type { AuditReport, RefutedReport } from "../audit/report.ts";
import { describeClaim } from "../../core/claims/claim.ts";
import { adviceOn } from "./advice.ts";
import { clopperPearsonLower } from "../../core/numeric/clopper_pearson.ts";
import { boundOf, claimedParameter, inPercent, shownBelow, timesTheClaim } from "./bound.ts";
import { eventSentence } from "./event_sentence.ts";
import { ratesOf } from "./event_rates.ts";
import { adviceOnLine } from "./recorded_noise.ts";
import { shortData } from "./short_data.ts";
import { groupedNumber, longCount, roundedUp, shortNumber } from "./short_number.ts";

/** The words that all readable reports share, so that they say the same thing. */
interface Wording {
  /** As in `REFUTED`. */
  readonly verdict: string;
  /** The verdict in one sentence. */
  readonly headline: string;
  /** Findings of the run, a sentence each. */
  readonly findings: readonly string[];
  /** Advice, a sentence each; none when there is nothing to do. */
  readonly advice: readonly string[];
  /** Limits of such a run, a sentence each. */
  readonly limits: readonly string[];
}

/** Puts a report in words. */
export function wordingOf(report: AuditReport): Wording {
  const claim = claimOf(report);
  switch (report.verdict) {
    case "refuted":
      return {
        verdict: "REFUTED",
        headline: `${report.subject} does not keep its claim of ${claim}: ${excessOf(report)}`,
        findings: [
          boundSentence(report),
          ...eventSentences(report),
          evidenceSentence(report),
          ...changeSentences(report),
          ...furtherSentences(report),
          ...cutSentences(report),
        ],
        advice: [
          ...(report.unconfirmed === undefined ? adviceOn(report) : CHANGE_ADVICE),
          ...adviceOnLine(report),
        ],
        limits: limitsOf(report),
      };
    case "not-refuted":
      return {
        verdict: "NOT REFUTED",
        headline: `${report.subject}: no violation of ${claim} was seen`,
        findings: [
          boundSentence(report),
          detectableSentence(report),
          evidenceSentence(report),
          ...cutSentences(report),
          ...startsSentences(report),
        ],
        advice: [...longerSentences(report), ...exactSentences(report)],
        limits: limitsOf(report),
      };
    case "inconclusive":
      return {
        verdict: "INCONCLUSIVE",
        headline: `${report.subject}: this run says nothing about ${claim}`,
        findings: [
          `${report.reason.charAt(0).toUpperCase()}${report.reason.slice(1)}.`,
          boundSentence(report),
          evidenceSentence(report),
          ...cutSentences(report),
        ],
        advice: [
          ...exactSentences(report),
          ...longerSentences(report),
          report.reason.startsWith("every output")
            ? "Check that the program returns its answer, and give a pair or a domain on which answers differ."
            : "Give the audit more draws, or a pair or a domain on which outputs differ more.",
          "To ask for no power, give --require-power infinity (requirePower: Infinity).",
        ],
        limits: limitsOf(report),
      };
    case "failed":
      return {
        verdict: "FAILED",
        headline: `${report.subject} could not be audited`,
        findings: [report.failure, ...cutSentences(report)],
        advice: ["Nothing was shown for or against the claim: repair the program or the command."],
        limits: [],
      };
  }
}

/** The event of a refutation, and whether it shows it by itself. */
function eventSentences({ event, unconfirmed }: RefutedReport): string[] {
  if (unconfirmed !== undefined && event?.exceedsClaim !== true) return [];
  const alone = "many outputs together refute the claim.";
  if (event === null) return [`No single event was found that exceeds the claim: ${alone}`];
  return [
    eventSentence(event),
    ...(event.exceedsClaim === false
      ? [`No single event was found that exceeds the claim by its own counts: ${alone}`]
      : []),
  ];
}

/** Says what `--all` found besides the event of the report, a sentence each, and how the last audit ended. */
function furtherSentences({ further }: RefutedReport): string[] {
  if (further === undefined) return [];
  const { findings, rest } = further;
  const sentences = findings.slice(1).map(({ event, pair, epsilonLowerBound }, k) => {
    const rates = ratesOf(event),
      percent = (rate: number): string => `${shortNumber(100 * rate, 3)}%`;
    return `Finding ${k + 2}, besides those before: ${event.description}, on ${
      percent(rates.left)
    } of outputs of ${shortData(pair.left)} and ${percent(rates.right)} of ${
      shortData(pair.right)
    }; this audit shows a lower bound of ${shownBelow(epsilonLowerBound)}.`;
  });
  const besides = findings.length === 1
    ? "Besides this event"
    : `Besides these ${findings.length} events`;
  return [...sentences, `${besides} ${REST[rest]}.`];
}

/** How the last audit with `--all` ended. */
const REST = {
  "not-refuted": "no violation was seen",
  inconclusive: "the outputs that are left were too few to show anything",
  failed: "nothing was seen, for the program failed",
  refuted: "nothing was looked for",
} as const;

/** Probabilities of an event from which on a reader of one output is nearly always right about the dataset. */
const NEARLY_ALWAYS = 0.99;

/** Returns true if one output tells the datasets apart nearly always, with the confidence of the report. */
function tellsNearlyAlways(
  { left, right }: EventReport,
  { alpha }: Pick<AuditReport, "alpha">,
): boolean {
  const [often, seldom] = left.hits / left.draws > right.hits / right.draws
    ? [left, right]
    : [right, left];
  // Half of the chance of error on each side.
  return [[often.hits, often.draws], [seldom.draws - seldom.hits, seldom.draws]].every((
    [successes, trials],
  ) =>
    clopperPearsonLower({ successes: successes!, trials: trials!, alpha: alpha / 2 }) >=
      NEARLY_ALWAYS
  );
}

/** Says in a few words how much more a refuted program leaks than it claims. Never more than the bound of the report supports. */
function excessOf(report: RefutedReport): string {
  const { epsilonLowerBound: bound, event } = report, { value } = claimedParameter(report);
  if (event !== null && tellsNearlyAlways(event, report)) {
    return "one output tells the two datasets below apart nearly always";
  }
  const times = timesTheClaim(bound, value);
  return times === undefined ? "it leaks more" : `it leaks at least ${times} times as much`;
}

/** Returns the claim in a few words, as in `0.1-DP (replace-one)`. */
export function claimOf({ claim }: AuditReport): string {
  return `${describeClaim(claim)} (${claim.relation.name})`;
}

/** Says where an event was found and where it was counted, if not on draws made for it. */
export function originOf({ halves, rare }: EventReport): string {
  if (rare === true) return "Found when it came first, and counted on the draws after that.";
  return halves === true
    ? "Found on one half of the recorded outputs, dealt at random, and counted on the other."
    : "";
}

function boundSentence(report: AuditReport): string {
  const bound = boundOf(report), claimed = claimedParameter(report).value;
  const sure = `with ${inPercent(report.confidence)} confidence`;
  // What later draws show of an event is none of what refuted the claim.
  const ofEvent = report.unconfirmed === undefined || report.event?.exceedsClaim === true
    ? report.event?.epsilonLowerBound
    : undefined;
  if (report.verdict === "refuted" && ofEvent !== undefined) {
    return `${bound} by all outputs, ε ≥ ${
      shownBelow(ofEvent)
    } by the event alone, each ${sure}; claimed: ${claimed}.`;
  }
  return report.verdict === "refuted"
    ? `${bound} ${sure}; claimed: ${claimed}.`
    : `${bound} of the claimed ${claimed} was shown, ${sure}.`;
}

function detectableSentence(report: AuditReport): string {
  const { detectableEpsilon, detectableShare } = report, { symbol } = claimedParameter(report);
  if (detectableShare === 0) {
    return "The draws were too few to see a violation with 90% power, however large.";
  }
  const event = `in an event that ${shareText(detectableShare)} of the outputs have`;
  return detectableEpsilon === null || !Number.isFinite(detectableEpsilon)
    ? `On this pair no violation ${event}, however large, would have been seen with 90% power.`
    : `A violation above ${symbol} = ${
      roundedUp(detectableEpsilon, 4)
    } on this pair, ${event}, would have been seen with 90% power: one of their values, kinds or keys, ` +
      "or numbers beyond a threshold.";
}

/** Says of a run of few draws what a longer one would see. */
function longerSentences(report: AuditReport): string[] {
  const { longerRun } = report;
  if (longerRun === undefined) return [];
  const { symbol } = claimedParameter(report);
  return [
    `These are few draws. A violation of that kind above ${symbol} = ${
      roundedUp(longerRun.detectableEpsilon, 3)
    } would be seen by --max-draws ${longerRun.draws}.`,
  ];
}

/** Says what the limit of time cut: that depends on the machine. */
function cutSentences({ cut = [] }: AuditReport): string[] {
  if (cut.length === 0) return [];
  const parts = cut.map(({ what, done, of }) =>
    `${what} after ${longCount(done)}${of === undefined ? "" : ` of ${longCount(of)}`}`
  );
  return [
    `The limit of time (--max-seconds) cut ${
      parts.join("; ")
    }. Where it cuts depends on the machine; ` +
    "a number of draws that fits in (--max-draws) does not.",
  ];
}

/** Says what two new starts of the program drew. */
function startsSentences({ starts }: AuditReport): string[] {
  if (starts === undefined) return [];
  const { outputs, differ } = starts;
  if (differ) {
    return [
      outputs === 1
        ? "The program does not reuse its random seed."
        : `The program does not reuse its random seed: two new starts differ from output ${
          longCount(outputs)
        } on.`,
    ];
  }
  return [
    outputs === 0
      ? "The program could not be started again: whether it reuses its random seed is not known."
      : `Whether the program reuses its random seed is not known: two new starts drew the same ${
        longCount(outputs)
      } outputs, which are too few or too much alike to tell.`,
  ];
}

/** Returns true if the claim can be decided. */
function exactSentences({ exactDecides }: AuditReport): string[] {
  if (exactDecides === undefined) return [];
  const { datasets } = exactDecides;
  return [
    `All paths of its draws can be run, on ${
      datasets === 2 ? "both" : `all ${longCount(datasets)}`
    } datasets: --exact decides the claim.`,
  ];
}

function evidenceSentence({ eValue, alpha }: AuditReport): string {
  return `Evidence against the claim: e-value ${groupedNumber(eValue)}; ` +
    `${groupedNumber(1 / alpha)} refutes (α = ${alpha}).`;
}

/** Says of a refutation that later draws do not repeat what that means: it stands. */
function changeSentences({ unconfirmed, alpha }: RefutedReport): string[] {
  if (unconfirmed === undefined) return [];
  const { draws, eValue } = unconfirmed;
  return [
    `${longCount(draws)} later draws on this pair came to an e-value of ${
      groupedNumber(eValue)
    }, and ${
      groupedNumber(1 / alpha)
    } would have refuted the claim again. The refutation stands: ` +
    "the program changes between draws, unless its violation is close to the claim, or this is what " +
    `a true claim meets with probability ${alpha} at most.`,
  ];
}

/** What to do about a program that changes between draws: the event is counted on later draws, and shows nothing of the earlier ones. */
const CHANGE_ADVICE = [
  "Look for what differs between earlier and later outputs: a cache that fills, a counter, a warm-up, noise that is drawn once. " +
  "dpcheck verify audits again from a new start.",
];

/** Says how a function was called, in words that follow others; empty for another subject. */
function callWords({ calledWith }: AuditReport): string {
  if (calledWith === undefined) return "";
  return calledWith === "data" ? ", called as f(data)" : ", called as f(data, source)";
}

/** Says what the run drew, and for what: the draws of the verdict, and those that an event was counted on. */
export function drawsSentence(report: AuditReport): string {
  const { draws, seconds, pairsTried, seed, event, verdict } = report;
  const pairs = `${longCount(pairsTried)} ${pairsTried === 1 ? "pair" : "pairs"}`;
  const run = `${longCount(draws)} ${draws === 1 ? "draw" : "draws"} on ${pairs} in ${
    shortNumber(seconds, 3)
  } s, seed ${seed}${callWords(report)}`;
  if (verdict === "failed" || event === null || event.rare === true || event.halves === true) {
    return run;
  }
  return `Verdict by ${run}; event counted on ${
    longCount(event.left.draws + event.right.draws)
  } draws more`;
}

/** Returns the smallest event probability in two digits, rounded up: what is said of it stays true. */
export function smallestProbabilityText({ smallestEventProbability }: AuditReport): string {
  return roundedUp(Math.min(1, smallestEventProbability), 2);
}

function rareSentence(report: AuditReport): string {
  return report.smallestEventProbability < 1
    ? `An event that only one dataset of the last pair has is refuted with 90% power if its probability there is ${
      smallestProbabilityText(report)
    } or more and it is a value, a kind, a key, or numbers beyond all others; a rarer one, numbers between others, or a part of a text with less.`
    : "The draws were too few to refute an event that only one dataset has.";
}

function limitsOf(report: AuditReport): string[] {
  const { bits, declaredIndependent, askedAhead } = report;
  const limits = [
    rareSentence(report),
    "The adversary that was tried saw one output of each run: it asked no questions (--interactive does), did not compare " +
    "outputs with each other, and saw no timing or other side channel.",
  ];
  if (report.require !== undefined) {
    limits.push(`Only datasets that keep this were tried: ${report.require.join("; ")}.`);
  }
  if (report.except !== undefined) {
    limits.push(
      `Outputs that satisfy an excepted event were left out: ${report.except.join("; ")}.`,
    );
  }
  if (declaredIndependent) {
    limits.push(
      "Outputs were declared independent (--independent): a program that keeps anything from one output to the next " +
        "may be refuted wrongly.",
    );
  }
  if (askedAhead) {
    limits.push(
      "Requests were sent ahead of answers: the statement of error assumes that each output is computed before the program " +
        "reads on (--one-at-a-time assumes nothing).",
    );
  }
  if (!bits) {
    limits.push("The audit did not look at the bits of floating-point outputs (--bits does).");
  }
  limits.push("The verdict is about the pairs that were tried: an audit never proves privacy.");
  return limits;
}

/** Returns the heading of the pair of a report: a counterexample only where it was refuted on its own. */
export function pairHeading(report: AuditReport): string {
  if (report.verdict !== "refuted") {
    return report.event === null ? "Pair that came closest" : "Pair and event that came closest";
  }
  if (report.unconfirmed !== undefined) {
    return report.pairsTried === 1
      ? "Refuted pair, and what later draws show on it"
      : "Pair that did most to refute, and what later draws show on it";
  }
  return report.confirmation !== undefined || report.pairsTried === 1
    ? "Counterexample"
    : "Pair that did most to refute (not confirmed on its own)";
}
