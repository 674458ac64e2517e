import { createHash } from "node:crypto";
import { assert, assertEquals } from "@std/assert";
import { DOMParser } from "linkedom";
import { htmlReport } from "../../../lib/judge/report/html.ts";
import { junitReport } from "../../../lib/judge/report/junit.ts";
import { failed, notRefuted, refuted } from "./sample_reports.ts";

Deno.test("junitReport() is one suite with one case that fails when refuted", () => {
  for (
    const [report, tag, counts] of [
      [refuted, "failure", ["1", "0"]],
      [failed, "error", ["0", "1"]],
      [notRefuted, "system-out", ["0", "0"]],
    ] as const
  ) {
    const document = new DOMParser().parseFromString(junitReport(report), "text/xml");
    const suite = document.querySelector("testsuites > testsuite");
    assertEquals(suite.getAttribute("tests"), "1");
    assertEquals([suite.getAttribute("failures"), suite.getAttribute("errors")], counts);
    const [test, ...others] = suite.querySelectorAll("testcase");
    assertEquals(others, []);
    assertEquals(test.getAttribute("time"), "1.250");
    assertEquals([...test.children].map((child) => child.tagName), [tag]);
  }
});

Deno.test("htmlReport() shows verdict, pair and rates on one page that fetches nothing", () => {
  const html = htmlReport(refuted);
  const document = new DOMParser().parseFromString(html, "text/html");
  assert(document.querySelector("h1").textContent.includes("REFUTED"));
  for (
    const part of [
      "left only 0",
      "right only 1",
      "both 1",
      "output <= 0.5",
      "50% (5,000 of 10,000)",
      "What to do",
      "the claim, at least",
      refuted.replay,
    ]
  ) {
    assert(document.body.textContent.includes(part), part);
  }
  const [left, right] = document.querySelectorAll(".sets svg rect");
  const width = (bar: { getAttribute(name: string): string }): number =>
    Number(bar.getAttribute("width"));
  assertEquals(width(right) / width(left), 0.8);
  assertEquals(document.querySelectorAll("link, img, iframe, script[src]").length, 0);
  // The browser runs the one script whose hash the page names.
  const [script, ...others] = document.querySelectorAll("script");
  assertEquals(others, []);
  const hash = createHash("sha256").update(script.textContent).digest("base64");
  const policy = document.querySelector("meta[http-equiv]").getAttribute("content");
  assertEquals(
    policy,
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`,
  );
  assert(!/https?:|url\(/.test(html));
  assert(html.includes("color-scheme: light dark"));
});

Deno.test("htmlReport() shows no counterexample when the subject failed", () => {
  const html = htmlReport(failed);
  assert(!html.includes("<svg") && html.includes("out of luck"));
});
