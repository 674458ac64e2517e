import type { ReplayedProgram } from "../replay/replayed_program.ts";
import type { Recorder, Recording, RecordRequest } from "../recording.ts";
import { writtenOutput } from "../replay/written_output.ts";
import type { FollowedProgram, FollowedRun } from "./followed_program.ts";
import type { TapeOptions } from "./tape.ts";

/** The share by which numbers may differ that should be equal: rounding. */
const ROUNDING = 1e-9;
/** The seed of other noise, at which a form must say what comes out. */
const OTHER_SEED = 0x5eed_0001;

/** Why a program is not followed, and where. */
class NotFollowed extends Error {
  override readonly name = "NotFollowed";
  readonly at: string;

  constructor(reason: string, at = "") {
    super(reason);
    this.at = at;
  }
}

/**
 * Records a module by its rewritten copy. Two checks are made on each dataset: the copy puts out what the module as written does at the same
 * noise, and the forms of its numbers say what other noise gives on the same path. A program of which some run is not followed is not run again.
 */
export function followedRecorder(
  program: FollowedProgram,
  { name, written }: {
    readonly name: string;
    /** The module as written. */
    readonly written: ReplayedProgram;
  },
): Recorder {
  let lost: NotFollowed | undefined, kept: KeptReads = { number: NaN, reads: new Map() };
  const record = async (request: RecordRequest): Promise<readonly Recording[]> => {
    if (lost === undefined) {
      const before = program.runs + written.runs;
      try {
        if (request.keep !== undefined && request.keep !== kept.number) {
          kept = { number: request.keep, reads: new Map() };
        }
        const recordings = request.force === undefined
          ? await replayed(program, request, written)
          : await forced(program, { ...request, force: request.force }, kept.reads);
        const runs = program.runs + written.runs - before;
        return recordings.map((own, k) => ({ ...own, runs: k === 0 ? runs : 0 }));
      } catch (error) {
        if (!(error instanceof NotFollowed)) throw error;
        lost = error;
      }
    }
    const { message, at } = lost;
    const nothing: Recording = {
      output: null,
      atoms: [],
      reads: [],
      notFollowed: message,
      ...(at === "" ? {} : { notFollowedAt: { at } }),
    };
    return (request.order ?? request.datasets).map(() => nothing);
  };
  return {
    name,
    onePolicy: false,
    record,
    replay: (asked) => written.replay(asked),
    close: () => Promise.resolve(),
  };
}

/** What reads of noise gave in runs whose discrete draws are forced, for all requests with one number. */
interface KeptReads {
  readonly number: number;
  readonly reads: NonNullable<TapeOptions["kept"]>;
}

/** Returns a first run, and others that are given what it read. */
async function replayed(
  program: FollowedProgram,
  { datasets, order = [...datasets.keys()], seed, meet, asReads, shifts }: RecordRequest,
  written: ReplayedProgram,
): Promise<Recording[]> {
  const options = { seed, meet, asReads: new Set(asReads) };
  const recordings: Recording[] = [];
  let first: FollowedRun | undefined;
  for (const [k, side] of order.entries()) {
    const data = datasets[side], own = shifts?.[k] ?? {};
    const run = await followed(program, data, {
      ...options,
      ...(first === undefined ? {} : { replay: first.tape.reads }),
      ...(Object.keys(own).length === 0 ? {} : { shifts: own }),
    });
    if (first === undefined) {
      await requireSame(run, { written, data, seed });
      await requireForms(run, { program, data, options });
      first = run;
    }
    const endsAlike = run.tape.apart !== undefined &&
      JSON.stringify(run.output) === JSON.stringify(first.output);
    recordings.push({ ...recordingOf(run), ...(endsAlike ? { endsAlike } : {}) });
  }
  return recordings;
}

async function forced(
  program: FollowedProgram,
  { datasets, order = [...datasets.keys()], seed, meet, asReads, force, keep }: RecordRequest & {
    readonly force: readonly (readonly number[])[];
  },
  kept: KeptReads["reads"],
): Promise<Recording[]> {
  const recordings: Recording[] = [];
  for (const [k, side] of order.entries()) {
    const run = await followed(program, datasets[side], {
      seed,
      meet,
      asReads: new Set(asReads),
      force: force[k]!,
      ...(keep === undefined ? {} : { kept }),
    });
    recordings.push(recordingOf(run));
  }
  return recordings;
}

async function followed(
  program: FollowedProgram,
  data: unknown,
  options: TapeOptions,
): Promise<FollowedRun> {
  const run = await program.run(data, options), { notFollowed } = run.tape;
  if (notFollowed !== undefined) throw new NotFollowed(notFollowed.reason, notFollowed.at);
  return run;
}

/** Checks that the module as written puts out the same at the same noise. */
async function requireSame(
  { output: { shape, numbers }, tape, state }: FollowedRun,
  { written, data, seed }: {
    readonly written: ReplayedProgram;
    readonly data: unknown;
    readonly seed: number;
  },
): Promise<void> {
  const { output } = await written.holding(async () => await written.run(data, { seed }));
  const areSame = output.shape === shape && output.numbers.every((x, i) => isNear(x, numbers[i]!));
  if (areSame) return;
  throw new NotFollowed(
    `its rewritten copy puts out something else than the program itself: ${
      state ?? "it keeps state, or has noise that is not watched"
    }`,
    tape.drawn[0]?.at,
  );
}

/** Checks that forms do not change with the noise: a run with other noise that is given what this one read comes to the same. */
async function requireForms(
  run: FollowedRun,
  { program, data, options }: {
    readonly program: FollowedProgram;
    readonly data: unknown;
    readonly options: TapeOptions;
  },
): Promise<void> {
  const first = run.tape.writtenReads();
  if (first.length === 0) return;
  const { tape } = await followed(program, data, {
    ...options,
    seed: OTHER_SEED,
    replay: run.tape.reads,
  });
  const reads = tape.writtenReads();
  const lost =
    first.find(({ forms }, k) =>
      forms.length !== reads[k]?.forms.length || !forms.every(([v, terms], i) => {
        const [w, others] = reads[k]!.forms[i]!;
        return isNear(v, w) && terms.length === others.length &&
          terms.every(([atom, c], n) => atom === others[n]![0] && isNear(c, others[n]![1]));
      })
    ) ?? tape.apart?.met;
  if (lost === undefined || lost === null) return;
  throw new NotFollowed("it computes with its noise in a way that is not seen", lost.at);
}

function isNear(a: number, b: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) <= ROUNDING * (Math.abs(a) + Math.abs(b));
}

function recordingOf({ tape, output, error }: FollowedRun): Recording {
  const { apart, isDiscrete, isRare, options: { force }, path } = tape;
  const isEnded = apart !== undefined || !isDiscrete || isRare;
  return {
    output: isEnded || error !== undefined ? null : writtenOutput(output),
    ...(isEnded || error === undefined ? {} : { error }),
    atoms: tape.atoms.map(({ atom }) => atom),
    reads: tape.writtenReads(),
    ...(apart === undefined ? {} : { apart }),
    ...(force !== undefined && isDiscrete ? { path } : {}),
    ...(isRare ? { isRare: true } : {}),
  };
}
