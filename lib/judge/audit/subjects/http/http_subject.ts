import { requireFields, requireKind, requirePositive } from "../../../../core/numeric/require.ts";
import { Program, programSubject } from "../process/program.ts";
import type { Subject } from "../../kernel/subject.ts";
import { Endpoint } from "./endpoint.ts";

/** How to ask an HTTP endpoint. */
export interface HttpSubjectOptions {
  /** Seconds that one answer may take before the endpoint counts as hung. Default 30. */
  readonly timeoutSeconds?: number;
  /** Its name in reports. Default: the URL. */
  readonly name?: string;
  /** As for `processSubject`: your declaration that each output is independent of all others. Default false. */
  readonly independent?: boolean;
}

/** The draws of an audit of an endpoint that is given no number of them. */
const USUAL_DRAWS = 20_000;

/**
 * Returns a program behind an HTTP endpoint as a subject. Requests and answers are those of `processSubject`, one JSON object in the body of each POST
 * and one in its response, one after the other. The first line of a program, such as
 * `{"dpcheck":1,"order":true}`, is what the endpoint answers to a GET; without that it is asked for one output a request. With
 * `"parallel":N` in that line up to N requests are under way at once.
 * Answers are not binary. An answer with another status than 200 to 299, and a redirection, are failures.
 *
 * Datasets are sent to the endpoint as they are.
 *
 * @throws {RangeError} when the URL is neither `http:` nor `https:`, or an option is out of its bounds.
 *
 * @example
 * ```ts
 * const subject = httpSubject("http://127.0.0.1:8080/noisy-sum", { timeoutSeconds: 5 });
 * await subject.close();
 * ```
 */
export function httpSubject(
  url: string,
  given: HttpSubjectOptions = {},
): Subject {
  requireKind("httpSubject", "url", url, "text");
  const { timeoutSeconds = 30, name = url, independent = false } = requireFields(
    "httpSubject",
    given,
    { name: "text?", independent: "boolean?" },
  );
  requirePositive("start a subject", "timeoutSeconds", timeoutSeconds);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new RangeError(
      `Cannot start a subject: its URL must begin with http:// or https://: current value is ${url}`,
    );
  }
  const options = { name, timeoutSeconds, independent, usualDraws: USUAL_DRAWS };
  return programSubject(new Program(new Endpoint(url), options), options);
}
