/** r: the prior probability that one more attempt is lost. */
const RATE = 1 / 8;

/**
 * Returns by how many nats the level of a test is lowered when attempts at its shards were lost: begun, and not counted. `attempts` are
 * the numbers of the lost ones, from 1, each of some shard.
 *
 * Whoever decides which attempts are lost, the program or a machine, may know what they counted. So the test is read as if
 * all patterns of lost attempts had been tested, each at its share of the level. For a pattern that is fixed, what is counted
 * obeys the law of the test. A pattern of d attempts has the share (1 − r)·rᵈ·d!·∏ 2⁻ʲ/shards, over their numbers j: these shares
 * add up to at most 1, for those of attempt j of one of the shards do, and a set of d different attempts is d! sequences of them.
 */
export function natsOfLost(attempts: readonly number[], shards: number): number {
  let nats = -Math.log1p(-RATE);
  attempts.forEach((attempt, k) => {
    nats += Math.log(shards / RATE) + attempt * Math.LN2 - Math.log(k + 1);
  });
  return nats;
}
