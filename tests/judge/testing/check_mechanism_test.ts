import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import {
  addRemoveOne,
  approximate,
  type Claim,
  type Dataset,
  gaussian,
  geometric,
  laplace,
  type Mechanism,
  pure,
  renyi,
  replaceOne,
  SecureSource,
  SeededSource,
  type Source,
  zcdp,
} from "../../../mod.ts";
import {
  AssertionError,
  checkMechanism,
  type CheckMechanismOptions,
} from "../../../lib/judge/testing/mod.ts";
import { longTest } from "../../long.ts";

const domain = { rows: { type: "boolean" }, size: { min: 1, max: 2 } } as const;
/** The chance of a true answer, and the ε that it takes. */
const TRUTH = 0.75, EPSILON = Math.log(3) + 1e-12;

type Coin = Mechanism<boolean, boolean>;

function requireTruthValues(data: Dataset<boolean>): void {
  if (data.length === 0 || !data.every((row) => typeof row === "boolean")) {
    throw new RangeError("Cannot release: rows must be true or false");
  }
}

const drawn = ([row]: Dataset<boolean>, source: Source): boolean =>
  source.uniform() < TRUTH ? row! : !row;

/** A noisy answer about the first row, which keeps every law. */
const coin: Coin & Required<Pick<Coin, "check" | "distribution">> = {
  name: "noisy answer",
  claim: pure({ epsilon: EPSILON, relation: replaceOne }),
  domain,
  check: requireTruthValues,
  sample(data, source): boolean {
    requireTruthValues(data);
    return drawn(data, source);
  },
  width: 1,
  sampleMany(data, count, source): Float64Array {
    requireTruthValues(data);
    return Float64Array.from({ length: count }, () => Number(drawn(data, source)));
  },
  distribution: ([row]) => [
    { output: row!, probability: TRUTH },
    { output: !row, probability: 1 - TRUTH },
  ],
  logDensity: (output, [row]) => Math.log(output === row ? TRUTH : 1 - TRUTH),
};

/** The message of the law that a mechanism breaks. */
async function broken<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  options: CheckMechanismOptions = {},
): Promise<string> {
  const { message, report } = await assertRejects(
    () => checkMechanism(mechanism, options),
    AssertionError,
  );
  assertStringIncludes(
    message,
    `${mechanism.name || "the mechanism"} breaks a law: ${(report as { law: string }).law}.`,
  );
  assertStringIncludes(message, "What to do: ");
  return message;
}

Deno.test("checkMechanism() says which laws hold, and how much of the claim a pair loses", async () => {
  const { held, skipped, largestLoss, pair } = await checkMechanism(coin);
  assertEquals([held.length, skipped], [10, {}]);
  assert(largestLoss > 1 - 1e-9 && largestLoss <= 1);
  assertEquals(pair?.left.length, pair?.right.length);
});

Deno.test("checkMechanism() says what it could not check of a mechanism that states no law", async () => {
  const { width: _, sampleMany: __, distribution: ___, logDensity: ____, ...bare } = coin;
  const { skipped, largestLoss } = await checkMechanism(bare, { badData: [] });
  assertEquals(Object.values(skipped), [
    "no bad data are known",
    "there is no sampleMany()",
    "no law is stated",
    "neither distribution() nor logDensity() is there, or no neighbours",
  ]);
  assertEquals(largestLoss, 0);
});

// D_2 = ln 7/3, and D_1.01/1.01 is the largest of the orders that are tried. Mutants: the order, ε or ρ left out of a share.
longTest("checkMechanism() says what a pair loses of Rényi and concentrated claims", async () => {
  const share = async (claim: Claim): Promise<number> =>
    (await checkMechanism({ ...coin, claim })).largestLoss;
  const order2 = renyi({ order: 2, epsilon: 2, relation: replaceOne });
  assertAlmostEquals(await share(order2), Math.log(7 / 3) / 2, 1e-9);
  const order = 1.01,
    power = 0.75 ** order * 0.25 ** (1 - order) + 0.25 ** order * 0.75 ** (1 - order);
  const divergence = Math.log(power) / (order - 1);
  assertAlmostEquals(
    await share(zcdp({ rho: 2, relation: replaceOne })),
    divergence / order / 2,
    1e-9,
  );
});

// Mutant: a method that is called without its object.
Deno.test("checkMechanism() takes an instance of a class, whose methods use this", async () => {
  class Coin implements Mechanism<boolean, boolean> {
    readonly name = "coin of a class";
    readonly claim = coin.claim;
    readonly domain = domain;
    readonly width = 1;
    readonly own = coin;
    check(data: Dataset<boolean>): void {
      this.own.check(data);
    }
    sample(data: Dataset<boolean>, source: Source): boolean {
      return this.own.sample(data, source);
    }
    sampleMany(data: Dataset<boolean>, count: number, source: Source): Float64Array {
      return this.own.sampleMany!(data, count, source);
    }
    logDensity(output: boolean, data: Dataset<boolean>): number {
      return this.own.logDensity!(output, data);
    }
  }
  assertEquals((await checkMechanism(new Coin())).held.length, 10);
  class Listed extends Coin {
    distribution(data: Dataset<boolean>): { output: boolean; probability: number }[] {
      return [...this.own.distribution(data)];
    }
  }
  assertEquals((await checkMechanism(new Listed())).held.length, 10);
});

/** An answer in a map, all of which JSON writes as {}. */
function mapOf(answer: boolean): boolean {
  return new Map([["answer", answer]]) as unknown as boolean;
}

/** Tells the first row now and then. */
const telling: Coin = {
  name: "telling",
  claim: pure({ epsilon: 1, relation: replaceOne }),
  domain,
  sample(data, source): boolean {
    requireTruthValues(data);
    return (source.uniform() < 0.2 ? data[0]! : null) as boolean;
  },
  distribution: ([row]) => [
    { output: row!, probability: 0.2 },
    { output: null as unknown as boolean, probability: 0.8 },
  ],
};

/** The noisy answer, whose law lists an output that never comes. */
const { logDensity: _density, ...stated } = coin as Required<Coin>;
const withNever: Coin = {
  ...stated,
  distribution: (data) => [
    ...coin.distribution(data),
    { output: null as unknown as boolean, probability: 0 },
  ],
};

/** Draws besides those of doubles. */
const DRAWS: Readonly<Record<string, (source: Source) => unknown>> = {
  "a word": (source) => source.uint32(),
  "a block of words": (source) => source.fillUint32(new Uint32Array(1)),
  "another stream": (source) => source.split("own"),
};

let calls = 0;
const secure = new SecureSource();
const generators = new WeakMap<Source, SeededSource>();
/** A coin that breaks one law, and words of the message. */
const BROKEN: Readonly<Record<string, readonly [Coin, ...words: string[]]>> = {
  "no name": [{ ...coin, name: "" }, "The name is empty"],
  "a copied claim": [{ ...coin, claim: { ...coin.claim } as Claim }, "not made by a constructor"],
  "another claim that is copied": [{
    ...coin,
    alsoKeeps: [{ ...zcdp({ rho: 1, relation: replaceOne }) } as Claim],
  }, "not made by a constructor"],
  "another relation": [
    { ...coin, alsoKeeps: [zcdp({ rho: 1, relation: addRemoveOne })] },
    "under another relation",
    'also: "add-remove-one"',
  ],
  "a refusal of valid data": [
    {
      ...coin,
      check(data): void {
        requireTruthValues(data);
        if (data.length > 1 && data[0] && data[1]) throw new RangeError("Cannot release: too true");
      },
    },
    "A dataset that is valid is refused",
    "data: [true,true]",
    "too true",
  ],
  "NaN": [{ ...coin, sample: () => NaN as unknown as boolean }, "An output is NaN"],
  "NaN in a record": [
    { ...coin, sample: () => ({ mean: [NaN] }) as unknown as boolean },
    "An output is NaN",
  ],
  "a promise": [{
    ...coin,
    sample: (...given) => Promise.resolve(coin.sample(...given)) as unknown as boolean,
  }, "An output is a promise"],
  "undefined": [
    { ...coin, sample: () => undefined as unknown as boolean },
    "An output is undefined",
  ],
  "a function": [
    { ...coin, sample: () => requireTruthValues as unknown as boolean },
    "An output is a function",
  ],
  "rows that are sorted in place": [
    {
      ...coin,
      sample(data, source): boolean {
        requireTruthValues(data);
        return coin.sample([...(data as boolean[]).reverse()].reverse(), source);
      },
    },
    "sample() changed the dataset",
    "before: ",
  ],
  "a source of its own": [
    {
      ...coin,
      sample: (
        data,
        _,
      ) => (requireTruthValues(data), secure.uniform() < TRUTH ? data[0]! : !data[0]),
    },
    "differs between two runs on one seed",
  ],
  "a state": [
    {
      ...coin,
      sample: (
        data,
        source,
      ) => (requireTruthValues(data), calls++ % 97 === 0 ? true : drawn(data, source)),
    },
    "differs between two runs on one seed",
  ],
  "a generator of its own for every source": [
    {
      ...coin,
      sample(data, source): boolean {
        requireTruthValues(data);
        const own = generators.get(source) ?? new SeededSource(7);
        generators.set(source, own);
        return drawn(data, own);
      },
    },
    "Two seeds give the same 60 outputs",
  ],
  "no secure source": [
    {
      ...coin,
      sample(data, source): boolean {
        if (source.kind === "secure") throw new Error("only seeds");
        return coin.sample(data, source);
      },
      sampleMany: coin.sampleMany!,
    },
    "A secure source is refused",
  ],
  "bad data taken": [{ ...coin, sample: drawn }, "sample() takes bad data", 'data: ["a text"'],
  "bad data taken by check()": [{ ...coin, check: () => {} }, "check() takes bad data"],
  "bad data taken by blocks": [
    {
      ...coin,
      sampleMany: (data, count, source) =>
        Float64Array.from({ length: count }, () => Number(drawn(data, source))),
    },
    "sampleMany() takes bad data",
  ],
  "a draw before the refusal": [
    {
      ...coin,
      sample(data, source): boolean {
        const answer = drawn(data, source);
        requireTruthValues(data);
        return answer;
      },
    },
    "sample() draws before it refuses",
  ],
  ...Object.fromEntries(
    Object.entries(DRAWS).map(([what, draw]) => [
      `${what} before the refusal`,
      [
        { ...coin, sample: (data, source) => (draw(source), coin.sample(data, source)) },
        "sample() draws before it refuses",
      ],
    ]),
  ),
  "a refusal by another error": [
    {
      ...coin,
      check(data): void {
        if (!data.every((row) => typeof row === "boolean")) throw new Error("no");
      },
    },
    "check() throws what is neither",
  ],
  "a message that shows a row": [
    {
      ...coin,
      check(data): void {
        for (const row of data) {
          if (typeof row !== "boolean") throw new RangeError(`Cannot release ${row}`);
        }
      },
    },
    "The message of check() shows a row",
  ],
  "no width": [(({ width: _, ...rest }) => rest)(coin), "`width` is not"],
  "a short block": [
    {
      ...coin,
      sampleMany(data, count, source): Float64Array {
        return coin.sampleMany!(data, count, source).subarray(1);
      },
    },
    "The block has not 20000 times 1 numbers",
  ],
  "a block that is a list": [
    {
      ...coin,
      sampleMany: (...given) => [...coin.sampleMany!(...given)] as unknown as Float64Array,
    },
    "The block has not 20000 times 1 numbers",
  ],
  "blocks of another law": [
    {
      ...coin,
      sampleMany(data, count, source): Float64Array {
        requireTruthValues(data);
        return Float64Array.from(
          { length: count },
          () => Number(source.uniform() < 0.8 ? data[0]! : !data[0]),
        );
      },
    },
    "Number 1 of an output has another law in blocks",
  ],
  "blocks without the minus before 0": [
    {
      ...coin,
      sample: (data, source) => (coin.sample(data, source) ? 1 : -0) as unknown as boolean,
    },
    "Number 1 of an output has another law in blocks",
  ],
  "chances that sum to more than 1": [
    {
      ...coin,
      distribution: (
        [row],
      ) => [{ output: row!, probability: 0.75 }, { output: !row, probability: 0.26 }],
    },
    "do not sum to 1",
  ],
  "chances that sum to less than 1": [
    (({ logDensity: _, ...rest }) => ({
      ...rest,
      distribution: ([row]: Dataset<boolean>) => [
        { output: row!, probability: 0.75 },
        { output: !row, probability: 0.24 },
      ],
    }))(coin),
    "do not sum to 1",
  ],
  "two laws that disagree": [
    { ...coin, logDensity: (output, [row]) => Math.log(output === row ? 0.74 : 0.26) },
    "logDensity() and distribution() disagree",
    "probability: 0.75",
  ],
  "a law that throws": [
    {
      ...coin,
      distribution: () => {
        throw new Error("no law today");
      },
    },
    "An error came in its place",
    "no law today",
  ],
  "an output listed twice": [
    {
      ...coin,
      distribution: ([row]) => [
        { output: row!, probability: 0.75 },
        { output: !row, probability: 0.25 },
        { output: row!, probability: 0 },
      ],
    },
    "lists an output twice",
  ],
  "an output without a chance": [
    (({ logDensity: _, ...rest }) => ({
      ...rest,
      distribution: ([row]: Dataset<boolean>) => [{ output: row!, probability: 1 }],
    }))(coin),
    "An output has no chance",
  ],
  "a minus before 0 that has no chance": [
    (({ logDensity: _, width: __, sampleMany: ___, ...rest }) => ({
      ...rest,
      sample: (data: Dataset<boolean>, source: Source) =>
        (coin.sample(data, source) ? 1 : -0) as unknown as boolean,
      distribution: ([row]: Dataset<boolean>) =>
        coin.distribution([row!]).map(({ output, probability }) => ({
          output: Number(output) as unknown as boolean,
          probability,
        })),
    }))(coin),
    "An output has no chance",
    'output: "-0"',
  ],
  "maps of another law": [
    (({ logDensity: _, width: __, sampleMany: ___, ...rest }) => ({
      ...rest,
      sample: (data: Dataset<boolean>, source: Source) => mapOf(coin.sample(data, source)),
      distribution: ([row]: Dataset<boolean>) => [
        { output: mapOf(row!), probability: 0.72 },
        { output: mapOf(!row), probability: 0.28 },
      ],
    }))(coin),
    "20000 draws do not have the chances that distribution() states",
  ],
  "chances of another law": [
    (({ logDensity: _, ...rest }) => ({
      ...rest,
      distribution: (
        [row]: Dataset<boolean>,
      ) => [{ output: row!, probability: 0.72 }, { output: !row, probability: 0.28 }],
    }))(coin),
    "20000 draws do not have the chances that distribution() states",
  ],
  "a density of another law": [
    (({ distribution: _, ...rest }) => ({
      ...rest,
      logDensity: (output: boolean, [row]: Dataset<boolean>) =>
        Math.log(output === row ? 0.71 : 0.29),
    }))(coin),
    "10000 draws do not have the chances that logDensity() states",
  ],
  "a density that denies an output": [
    (({ distribution: _, width: __, sampleMany: ___, ...rest }) => ({
      ...rest,
      sample: (data: Dataset<boolean>, source: Source) => {
        const answer = coin.sample(data, source);
        return source.uniform() < 0.005 ? null as unknown as boolean : answer;
      },
      logDensity: (output: boolean, [row]: Dataset<boolean>) =>
        output === null ? -Infinity : coin.logDensity!(output, [row!]),
    }))(coin),
    "10000 draws do not have the chances that logDensity() states",
  ],
  "a density that is too large": [
    (({ distribution: _, ...rest }) => ({ ...rest, logDensity: () => 0 }))(coin),
    "sum to more than 1",
  ],
  "too large a loss": [
    { ...coin, claim: pure({ epsilon: 1, relation: replaceOne }) },
    "A pair loses 1.099 times what the claim allows",
    '"epsilon":1,',
    "left: [",
  ],
  "outputs that one dataset alone has": [
    { ...telling, claim: approximate({ epsilon: 1, delta: 0.1, relation: replaceOne }) },
    "A pair loses 2.000 times",
  ],
  "outputs that one dataset alone has, at any ε": [telling, "A pair loses Infinity times"],
  "outputs that one dataset alone has, at any ρ": [
    { ...telling, claim: zcdp({ rho: 100, relation: replaceOne }) },
    "A pair loses Infinity times",
  ],
  "too large a loss by the density alone": [
    (({ distribution: _, ...rest }) => ({
      ...rest,
      claim: pure({ epsilon: 1, relation: replaceOne }),
    }))(coin),
    "A pair loses 1.099 times what the claim allows",
  ],
  "too large a loss beside an output that never comes": [
    { ...withNever, claim: pure({ epsilon: 1, relation: replaceOne }) },
    "A pair loses 1.099 times",
  ],
  "too small a δ beside an output that never comes": [
    { ...withNever, claim: approximate({ epsilon: 1, delta: 0.01, relation: replaceOne }) },
    "A pair loses 7.043 times",
  ],
  "too small a μ by the density alone": [
    (({ distribution: _, ...rest }) => ({
      ...rest,
      claim: gaussian({ mu: 0.6, relation: replaceOne }),
    }))(coin),
    "times what the claim allows",
  ],
  "too small a δ": [
    { ...coin, claim: approximate({ epsilon: 1, delta: 0.01, relation: replaceOne }) },
    "A pair loses 7.043 times",
  ],
  "too small a δ by the density alone": [
    (({ distribution: _, ...rest }) => ({
      ...rest,
      claim: approximate({ epsilon: 1, delta: 0.01, relation: replaceOne }),
    }))(coin),
    "times what the claim allows",
  ],
  "too small a μ": [
    { ...coin, claim: gaussian({ mu: 1.2, relation: replaceOne }) },
    "times what the claim allows",
  ],
  "too small a Rényi divergence": [
    { ...coin, claim: renyi({ order: 2, epsilon: 0.8, relation: replaceOne }) },
    "A pair loses 1.059 times",
  ],
  "too small a ρ": [
    { ...coin, claim: zcdp({ rho: 0.5, relation: replaceOne }) },
    "A pair loses 1.097 times",
  ],
  "another claim that is not kept": [
    { ...coin, alsoKeeps: [zcdp({ rho: 0.4, relation: replaceOne })] },
    "times what alsoKeeps allows",
  ],
};

for (const [what, [mechanism, ...words]] of Object.entries(BROKEN)) {
  Deno.test(`checkMechanism() refuses ${what}, and says what to do`, async () => {
    const message = await broken(mechanism);
    for (const word of words) assertStringIncludes(message, word);
  });
}

Deno.test("checkMechanism() refuses what an audit refutes: too little noise of which no law is stated", async () => {
  const { distribution: _, logDensity: __, ...silent } = coin;
  const claim = pure({ epsilon: 0.9, relation: replaceOne });
  const message = await broken({ ...silent, claim });
  assertStringIncludes(message, "an audit does not refute the claim");
  assertStringIncludes(message, "REFUTED");
});

const numbers = { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 1 } } as const;

Deno.test("checkMechanism() refuses noise in doubles by its bits, unless they are left out", async () => {
  const floating: Mechanism<number, number> = {
    name: "Laplace noise in doubles",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    domain: numbers,
    sample: ([row], source) => {
      if (!Number.isFinite(row)) throw new RangeError("Cannot release: the row must be finite");
      return row! + Math.log(source.uniform() / source.uniform());
    },
  };
  assertStringIncludes(await broken(floating), "bits");
  await checkMechanism(floating, { bits: false });
});

Deno.test("checkMechanism() refuses a law of other numbers where each is rare: outputs are compared in their order", async () => {
  const { distribution: _, sampleMany: __, ...noisy } = geometric<number>({
    query: ([row]) => row!,
    epsilon: 0.1,
    sensitivity: 1,
    relation: replaceOne,
    domain: { rows: { type: "integer", min: 0, max: 1 }, size: { min: 1, max: 1 } },
  });
  assertEquals((await checkMechanism(noisy)).held.length, 9);
  const biased = {
    ...noisy,
    sample: (data: Dataset<number>, source: Source) => noisy.sample(data, source) + 1,
  };
  assertStringIncludes(await broken(biased), "10000 draws do not have the chances");
});

Deno.test("checkMechanism() takes a constant, which needs no source", async () => {
  const constant: Coin = {
    ...{ name: "constant", claim: coin.claim, domain, check: requireTruthValues },
    sample: (data) => (requireTruthValues(data), true),
    distribution: () => [{ output: true, probability: 1 }],
  };
  assertEquals((await checkMechanism(constant)).held.length, 9);
});

Deno.test("checkMechanism() tries the pairs and data that it is given", async () => {
  const answer = laplace<number>({
    query: ([row]) => row! > 7 ? 2 * row! : row!,
    epsilon: 1,
    sensitivity: 1,
    granularity: 0.25,
    relation: replaceOne,
    domain: numbers,
  });
  assertEquals((await checkMechanism(answer)).held.length, 10);
  assertStringIncludes(
    await broken(answer, { pairs: [{ left: [7], right: [8] }] }),
    "A pair loses 9.000 times",
  );
  assertStringIncludes(
    await broken(answer, { data: [["text"]] }),
    "A dataset that is valid is refused",
  );
  assertStringIncludes(await broken(answer, { badData: [[0.5]] }), "sample() takes bad data");
});

Deno.test("checkMechanism() refuses options that it does not know, and asks for a domain", async () => {
  const { domain: _, ...homeless } = coin;
  await assertRejects(() => checkMechanism(homeless), RangeError, "domain must be given");
  await assertRejects(
    () => checkMechanism(coin, { draws: 5 } as CheckMechanismOptions),
    RangeError,
    "draws",
  );
  await assertRejects(() => checkMechanism(coin, { maxDraws: 0 }), RangeError, "maxDraws");
});
