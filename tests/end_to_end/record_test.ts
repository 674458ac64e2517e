import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import type { RecordedNoise } from "../../lib/judge/audit/report.ts";
import { runHere, withFolder } from "./run_cli.ts";
import { hasProgram, testsWith } from "../has_program.ts";
import { dailyOf } from "../long.ts";

const testPython = await testsWith(
  ["python3", "--version"],
  "dpcheck record of programs in Python",
);

const ROOT = new URL("../../", import.meta.url).pathname;
/** Starts Python with the adapter of the work tree. */
const PYTHON = `env PYTHONPATH=${ROOT}adapters/python python3`;

/** The report of `dpcheck record`, what it printed, and its exit status. */
interface Recorded {
  readonly report: {
    readonly verdict: string;
    readonly findings: readonly {
      readonly kind: string;
      readonly place: string;
      readonly change: number | null;
      readonly pays: number | null;
      readonly cost: number | null;
      readonly pair: { readonly left: unknown; readonly right: unknown };
      readonly sentence: string;
      readonly reads: readonly {
        readonly place: string;
        readonly what: string;
        readonly left: string | null;
        readonly right: string | null;
        readonly differs: boolean;
      }[];
    }[];
    readonly claim: Record<string, unknown>;
    readonly cost: number | null;
    readonly runs: number;
    readonly pairs: number;
    readonly seed: number;
  };
  readonly printed: string;
  readonly code: number;
}

async function dpcheck(words: readonly string[]): Promise<{ printed: string; code: number }> {
  const { code, stdout, stderr } = await runHere(words);
  return { printed: stdout + stderr, code };
}

const domain = (rows: object): string[] => [
  ...["--epsilon", "1", "--rows", JSON.stringify(rows), "--size", "0..5"],
  ...["--relation", "add-remove-one"],
];

/** Records one of the seven programs, on thirty pairs: sixty runs, and those that confirm and shrink what they find. */
async function recorded(
  name: string,
  rows: object,
  words: string[] = [],
  program = `${PYTHON} ${ROOT}fixtures/judge/recorded/seven.py`,
): Promise<Recorded> {
  let result: Recorded | undefined;
  await withFolder(async (folder) => {
    const file = `${folder}/report.json`;
    const { printed, code } = await dpcheck([
      ...["record", "--exec", `${program} ${name}`],
      ...[...domain(rows), "--max-pairs", "30", "--max-seconds", "60", "--json", file, ...words],
    ]);
    result = { report: JSON.parse(await Deno.readTextFile(file)), printed, code };
  });
  return result!;
}

const numbers = { type: "number", min: 0, max: 3 };

testPython(
  "record finds six wrong programs within thirty pairs, and names their lines",
  async () => {
    const seven: readonly [string, object, kind: string, line: string][] = [
      ["size_as_divisor", numbers, "noise-depends-on-data", "total / max(len(rows), 1)"],
      ["classes_from_data", numbers, "control-flow", "count + laplace(1)"],
      [
        "nan_through_a_clip",
        { ...numbers, nan: true },
        "too-little-noise",
        "sum(kept) + laplace(1)",
      ],
      ["unclipped_sum", numbers, "too-little-noise", "sum(rows) + laplace(1)"],
      [
        "sensitivity_zero",
        numbers,
        "uncovered-output",
        "** 2 for row in rows) + laplace(sensitivity)",
      ],
      ["two_queries", numbers, "spent-more-than-once", "len(rows) + laplace(1), sum"],
    ];
    const source = (await Deno.readTextFile(`${ROOT}fixtures/judge/recorded/seven.py`)).split("\n");
    for (const [name, rows, kind, line] of seven) {
      const { report, code } = await recorded(name, rows);
      const [first] = report.findings;
      assertEquals([name, report.verdict, first?.kind, code], [name, "suspected", kind, 0]);
      const number = source.findIndex((text) => text.includes(line)) + 1;
      // A value that stands in a list over two lines is read in one of them.
      assert(first!.place === `seven.py:${number}`, `${name}: ${first!.place}, not ${number}`);
      assert(first!.sentence.includes(first!.place) || kind === "control-flow", first!.sentence);
    }
  },
);

testPython(
  "record finds nothing in a correct program, and says what its noise pays for",
  async () => {
    const { report, printed, code } = await recorded("correct", numbers, ["--strict"]);
    assertEquals([report.verdict, report.findings, code], ["nothing found", [], 0]);
    assertAlmostEquals(report.cost!, 1, 1e-12);
    assertStringIncludes(
      printed,
      "Estimated from the noise alone: at most ε = 1, on 30 pairs.",
    );
  },
);

testPython(
  "where more noise is read on one dataset the finding counts it, and the page draws both runs",
  async () => {
    await withFolder(async (folder) => {
      const page = `${folder}/page.html`;
      const { report } = await recorded("classes_from_data", numbers, ["--html", page]);
      const [{ sentence, reads }] = report.findings as [Recorded["report"]["findings"][0]];
      assert(
        /noise is read there (once|2 times) on one side and (never|once)/.test(sentence),
        sentence,
      );
      assertEquals(reads.some(({ left, right }) => (left === null) !== (right === null)), true);
      const text = await Deno.readTextFile(page);
      assertStringIncludes(text, `<tr class="differs">`);
      assertStringIncludes(text, "seven.py:26");
    });
  },
);

Deno.test({
  name:
    "record finds three wrong R programs and names their lines, and nothing in three correct ones",
  ignore: !await hasProgram(
    ["Rscript", "-e", "library(jsonlite)"],
    "dpcheck record of programs in R",
  ),
  async fn(): Promise<void> {
    const source = (await Deno.readTextFile(`${ROOT}fixtures/judge/recorded/six.R`)).split("\n");
    const six: readonly [string, kind: string | undefined, line?: string][] = [
      ["size_as_divisor", "noise-depends-on-data", "total / max(length(rows), 1)"],
      ["classes_from_data", "control-flow", "noisy <- as.vector(counts)"],
      ["unclipped_sum", "too-little-noise", "sum(rows) + laplace(1, 1)"],
      ["geometric_count", undefined],
      ["noisy_max", undefined],
      ["presence", undefined],
    ];
    // A start of R takes as much as ten runs. adapters/r_recording_test.ts records further programs.
    for (
      const [name, kind, line] of dailyOf(
        six,
        ([name]) => name === "size_as_divisor" || name === "presence",
      )
    ) {
      const program = `Rscript ${ROOT}fixtures/judge/recorded/six.R`;
      const { report } = await recorded(name, numbers, [], program);
      const [first] = report.findings;
      assertEquals([name, first?.kind], [name, kind]);
      // What all outcomes of a draw show is exact.
      if (name === "presence") assertAlmostEquals(report.cost!, 1, 1e-9);
      if (line === undefined) continue;
      const number = source.findIndex((text) => text.includes(line)) + 1;
      assertEquals([name, first!.place], [name, `six.R:${number}`]);
    }
  },
});

testPython(
  "a finding says what the noise pays for, on a pair that is as small as can be",
  async () => {
    const { report, printed, code } = await recorded("unclipped_sum", numbers, [
      "--strict",
      "--seed",
      "7",
    ]);
    assertEquals(code, 1);
    const [{ sentence: _, reads, ...first }] = report.findings as [
      Recorded["report"]["findings"][0],
    ];
    assertEquals(
      reads.map(({ place, what, left, right, differs }) => [place, what, left, right, differs])
        .slice(0, 1),
      [["seven.py:36", "noisy value", "3", "0", true]],
    );
    assertEquals([reads.length, reads[1]!.what, reads[1]!.differs], [2, "output", false]);
    assertEquals(first, {
      kind: "too-little-noise",
      place: "seven.py:36",
      change: 3,
      pays: 1,
      cost: 3,
      pair: { left: [3], right: [] },
    });
    assertEquals([report.seed, report.claim.epsilon], [7, 1]);
    assertStringIncludes(
      printed,
      "noise of scale 1 at seven.py:36 (drawn at seven.py:10) hides a change of at most 1; with row 1 removed the value moves by 3: 3 times the claim",
    );
  },
);

testPython(
  "an audit confirms on draws of its own what its recording suspects, and names the line",
  async () => {
    await withFolder(async (folder) => {
      const file = `${folder}/report.json`;
      const { printed, code } = await dpcheck([
        ...[
          "audit",
          "--exec",
          `${PYTHON} ${ROOT}fixtures/judge/recorded/seven.py classes_from_data`,
        ],
        ...[...domain(numbers), "--max-draws", "20000", "--seed", "3", "--json", file],
      ]);
      assertEquals(code, 1, printed);
      const { verdict, recording } = JSON.parse(await Deno.readTextFile(file));
      assertEquals([verdict, recording.verdict], ["refuted", "suspected"]);
      assertStringIncludes(printed, "Where it may come from, as watched noise shows");
      assertStringIncludes(printed, "seven.py:26");
    });
  },
);

testPython(
  "--no-recording draws without it, and a program that does not record is refused by record alone",
  async () => {
    await withFolder(async (folder) => {
      const file = `${folder}/report.json`;
      const plain = `${PYTHON} ${ROOT}fixtures/judge/subjects/laplace_mean.py`;
      const audited = await dpcheck([
        ...[
          "audit",
          "--exec",
          `${PYTHON} ${ROOT}fixtures/judge/recorded/seven.py correct`,
          "--no-recording",
        ],
        ...[...domain(numbers), "--max-draws", "2000", "--json", file],
      ]);
      assertEquals(
        "recording" in JSON.parse(await Deno.readTextFile(file)),
        false,
        audited.printed,
      );
      const refused = await dpcheck(["record", "--exec", plain, ...domain(numbers)]);
      assertEquals(refused.code, 2);
      assertStringIncludes(refused.printed, 'its first line must have "records":true');
    });
  },
);

testPython(
  "a program that answers every dataset by an error fails, and is not said to be covered",
  async () => {
    await withFolder(async (folder) => {
      await Deno.writeTextFile(
        `${folder}/fails.py`,
        "from dpcheck import serve\n\ndef f(rows):\n    raise ValueError('no data')\n\nserve(f)\n",
      );
      const { printed, code } = await dpcheck([
        ...["record", "--exec", `${PYTHON} ${folder}/fails.py`],
        ...[...domain(numbers), "--max-pairs", "5"],
      ]);
      assertEquals(code, 3, printed);
    });
  },
);

// Mutants: the start taken from the seconds of the recording; a program that cannot be watched left out in silence.
testPython(
  "an audit watches a program that is slow to start, and says why where nothing is watched",
  async () => {
    await withFolder(async (folder) => {
      const file = `${folder}/report.json`, program = `${folder}/slow.py`;
      await Deno.writeTextFile(
        program,
        "import random, time\nfrom dpcheck import serve\n\ntime.sleep(1)\n" +
          "serve(lambda rows: len(rows) + 0.4 * (random.expovariate(1) - random.expovariate(1)))\n",
      );
      const audited = async (
        exec: string,
      ): Promise<{ recording: RecordedNoise; printed: string }> => {
        const { printed } = await dpcheck([
          ...["audit", "--exec", exec, ...domain(numbers), "--json", file],
          // A fifth of these seconds is less than it takes to start.
          ...["--max-seconds", "4", "--max-draws", "500", "--seed", "1"],
        ]);
        return { recording: JSON.parse(await Deno.readTextFile(file)).recording, printed };
      };
      const slow = await audited(`${PYTHON} ${program}`);
      assertEquals(slow.recording.verdict, "suspected", slow.printed);
      assertStringIncludes(slow.printed, "slow.py:5");
      const plain = await audited(`${PYTHON} ${ROOT}fixtures/judge/subjects/laplace_mean.py`);
      assertEquals([plain.recording.verdict, plain.recording.pairs], ["not followed", 0]);
      assertStringIncludes(
        plain.printed,
        "The noise was not recorded: the program does not record its noise, and cannot be seeded",
      );
    });
  },
);

testPython(
  "record of noise that is not followed ends with status 4, and names the line",
  async () => {
    await withFolder(async (folder) => {
      const report = `${folder}/report.json`;
      const { printed, code } = await dpcheck([
        ...["record", "--exec", `${PYTHON} ${ROOT}fixtures/judge/recorded/choices.py many_flips`],
        ...["--epsilon", "1", "--rows", '{"type":"integer","min":0,"max":1}', "--size", "1..3"],
        ...[
          "--relation",
          "replace-one",
          "--max-pairs",
          "5",
          "--max-seconds",
          "60",
          "--json",
          report,
        ],
      ]);
      assertEquals(code, 4, printed);
      assert(printed.startsWith("NOT FOLLOWED  "), printed);
      const { verdict, notFollowed } = JSON.parse(await Deno.readTextFile(report));
      assertEquals([verdict, notFollowed.pairs > 0], ["not followed", true]);
      assertMatch(notFollowed.place, /^choices\.py:\d+$/);
      assertStringIncludes(
        printed,
        `Cannot locate the line: the program's draws can go in more than 4096 ways (${notFollowed.place}).`,
      );
    });
  },
);

// Mutant: a program's own seed that is passed over, so that its noise counts although the data decide it.
testPython("record does not follow noise whose seed the data decide", async () => {
  await withFolder(async (folder) => {
    for (const [seed, verdict] of [["len(rows)", "not followed"], ["7", "nothing found"]]) {
      const program = `${folder}/seeded.py`, file = `${folder}/report.json`;
      await Deno.writeTextFile(
        program,
        "import random\nfrom dpcheck import serve\n\ndef count(rows):\n" +
          `    random.seed(${seed})\n    return len(rows) + random.expovariate(1) - random.expovariate(1)\n\n` +
          "serve(count)\n",
      );
      const { printed } = await dpcheck([
        ...["record", "--exec", `${PYTHON} ${program}`, ...domain(numbers)],
        ...["--max-pairs", "20", "--seed", "1", "--json", file],
      ]);
      assertEquals(JSON.parse(await Deno.readTextFile(file)).verdict, verdict, printed);
    }
  });
});
