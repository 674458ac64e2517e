import { assert } from "@std/assert";
import * as fc from "fast-check";
import { searchUntil } from "../../../../lib/audit/search/search_until.ts";

const standing = fc.record({ isInSight: fc.boolean(), tried: fc.nat(10_000) });

// Mutants: a share of the whole budget, or none.
Deno.test("searchUntil() gives some of the budget to the search, and leaves at least a third of it", () => {
  fc.assert(fc.property(fc.constantFrom("quick", "thorough"), standing, (effort, own) => {
    const share = searchUntil(effort, own);
    assert(share > 0 && share <= 2 / 3, `${share}`);
  }));
});

// Mutants: the two shares exchanged, or equal.
Deno.test("searchUntil() ends a quick search sooner once a violation is in sight, however many pairs were tried", () => {
  fc.assert(fc.property(fc.nat(10_000), (tried) => {
    const [seen, unseen] = [true, false].map((isInSight) =>
      searchUntil("quick", { isInSight, tried })
    );
    assert(seen! < unseen!, `${seen} ${unseen}`);
  }));
});

// Mutants: a share that falls with each pair; slow subjects, which try very few pairs, given more time too.
Deno.test("searchUntil() gives a thorough search more time only between very few pairs and many, in sight or not", () => {
  const shares = Array.from({ length: 1000 }, (_, tried) => {
    const [seen, unseen] = [true, false].map((isInSight) =>
      searchUntil("thorough", { isInSight, tried })
    );
    assert(seen === unseen);
    return seen!;
  });
  const usual = shares[0]!, longest = Math.max(...shares);
  assert(shares.every((share) => share === usual || share === longest) && longest > usual);
  const from = shares.indexOf(longest), to = shares.lastIndexOf(longest);
  assert(from > 0 && to < 999, `${from} ${to}`);
  assert(shares.slice(from, to + 1).every((share) => share === longest));
});
