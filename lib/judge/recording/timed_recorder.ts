import type { TimeLimit } from "../audit/kernel/drawing/time_limit.ts";
import type { Recorder } from "./recording.ts";

/** Seconds after the limit in which what was asked for may still come. */
const GRACE = 0.4;

/** The limit of time ended a recording. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/** Returns a recorder whose answers are awaited until the limit of time, or a little longer: then they end in {@linkcode OutOfTime}. */
export function timedRecorder(recorder: Recorder, limit: TimeLimit): Recorder {
  if (limit.maxSeconds === Infinity) return recorder;
  const inTime = async <Answer>(asked: Promise<Answer>): Promise<Answer> => {
    const late = limit.after(limit.maxSeconds + GRACE);
    try {
      const first = await Promise.race([asked.then((answer) => ({ answer })), late.promise]);
      if (first === undefined) throw new OutOfTime("the recording was out of time");
      return first.answer;
    } finally {
      late.release();
    }
  };
  return {
    ...recorder,
    record: (request) => inTime(recorder.record(request)),
    ...(recorder.replay && { replay: (request) => inTime(recorder.replay!(request)) }),
  };
}
