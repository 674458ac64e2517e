/**
 * DP-Sniper (Bichsel, Steffen, Bogunovic, Vechev 2021) and StatDP (Ding, Wang, Wang, Zhang, Kifer 2018) beside dpcheck, on the same mechanisms, machine
 * and run: bound, draws, seconds. Each peer runs alone, in two processes; then an audit has a share of its seconds, or of the limit where the peer
 * has no figure by then. Copies of both lie wherever their paths say; nothing of theirs is here. They run as their authors run them
 * (`run_dp_sniper.py`, `run_statdp.py`), with one thread a process.
 *
 * Usage: `deno task bench peers --dp-sniper PATH [--statdp PATH] [--rows NAME,…] [--share 0.01] [--seed 1] [--workers 1,…]
 * [--processes 2] [--python python3] [--limit SECONDS]`
 */
import process from "node:process";
import type { RowRequest, RowResult } from "./audit_row.ts";
import { type PeerRow, peerRows } from "./experiments.ts";
import { isAtLeast, type PeerResult, peerResult } from "./peer_result.ts";
import { option } from "../option.ts";

const sniper = option("dp-sniper"), statdp = option("statdp");
const python = option("python") ?? "python3", processes = option("processes") ?? "2";
const share = Number(option("share") ?? 0.01), seed = Number(option("seed") ?? 1);
/** Threads that draw in dpcheck's audits; each number gets audits of its own. */
const workers = (option("workers") ?? "1").split(",").map(Number);
const limit = Number(option("limit") ?? 36_000);
const wanted = option("rows")?.split(",");
if (sniper === undefined) {
  console.error("--dp-sniper must be the folder of a copy of DP-Sniper; StatDP runs by it too");
  Deno.exit(2);
}

/** Runs a peer's script. `undefined` when it has not ended after `limit` seconds. */
async function runPeer(script: string, args: readonly string[]): Promise<PeerResult | undefined> {
  const file = new URL(script, import.meta.url).pathname;
  // The program by that name ends the peer's own processes too.
  const child = new Deno.Command("timeout", {
    args: [`${limit}`, python, file, ...args],
    env: { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
    stderr: "piped",
  });
  const { success, code, stdout, stderr } = await child.output();
  if (code === 124) return undefined;
  const decoder = new TextDecoder();
  if (!success) {
    throw new Error(`${script} failed: ${decoder.decode(stderr).trim().split("\n").at(-1)}`);
  }
  return peerResult(decoder.decode(stdout));
}

async function runSniper({ experiment }: PeerRow): Promise<PeerResult | undefined> {
  const folder = await Deno.makeTempDir();
  try {
    return await runPeer("run_dp_sniper.py", [sniper!, experiment, processes, folder]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** An audit in a thread of its own, with all of its seconds. */
async function runAudit(
  name: string,
  { maxSeconds, workers }: { readonly maxSeconds: number; readonly workers: number },
): Promise<PeerResult> {
  const worker = new Worker(new URL("./audit_row.ts", import.meta.url), {
    type: "module",
  });
  const begun = process.cpuUsage();
  const request: RowRequest = { name, seed, maxSeconds, workers };
  const { bound, draws, seconds } = await new Promise<RowResult>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
    worker.postMessage(request);
  });
  const { user, system } = process.cpuUsage(begun);
  worker.terminate();
  return { bound, draws, seconds, cpuSeconds: (user + system) / 1e6 };
}

function print(name: string, tool: string, result: PeerResult, reached = ""): void {
  const { bound, draws, seconds, cpuSeconds } = result;
  const shown = bound === null ? "none" : (Math.floor(bound * 1e4) / 1e4).toFixed(4);
  const cells = [name, tool, shown, `${(draws / 1e6).toFixed(1)} M`]
    .concat([seconds, cpuSeconds].map((value) => value.toFixed(2)), reached);
  console.log(`| ${cells.join(" | ")} |`);
}

const load = (): string => Deno.loadavg().map((value) => value.toFixed(1)).join(" ");
console.log("| mechanism | tool | bound | draws | seconds | CPU seconds | |");
console.log("| --- | --- | --: | --: | --: | --: | --- |");
const before = load();
let reached = 0, compared = 0;
for (const row of peerRows) {
  if (wanted !== undefined && !wanted.includes(row.name)) continue;
  const peers = [{ tool: "DP-Sniper", run: () => runSniper(row) }];
  if (statdp !== undefined && row.hasStatdp) {
    const args = [sniper, statdp, row.experiment, processes];
    peers.push({ tool: "StatDP", run: () => runPeer("run_statdp.py", args) });
  }
  for (const { tool, run } of peers) {
    const theirs = await run();
    if (theirs === undefined) {
      console.log(`| ${row.name} | ${tool} | none after ${limit} s | | | | |`);
    } else print(row.name, tool, theirs);
    for (const threads of workers) {
      const maxSeconds = share * (theirs?.seconds ?? limit);
      const ours = await runAudit(row.name, { maxSeconds, workers: threads });
      const tool = `dpcheck, ${share} of them, ${threads} thread(s)`;
      if (theirs === undefined) {
        print(row.name, tool, ours);
        continue;
      }
      const isReached = isAtLeast(ours.bound!, theirs);
      compared++;
      if (isReached) reached++;
      print(row.name, tool, ours, isReached ? "reached" : "not reached");
    }
  }
}
console.log(
  `\n${reached} of ${compared} reached; dpcheck's bounds hold with 95% confidence, DP-Sniper's with 90%; StatDP's is the largest ε that it ` +
    `rejects at p < 0.1. Seed ${seed}, ${processes} processes for the others; load ${before} before, ${load()} after.`,
);
