/** The limit of time of a draw, which ends it between two outputs. */
export interface DrawingEnd {
  /** Returns true if the time is over: no further output is to be asked for. */
  isOver(): boolean;
  /** Resolves when the time is over. */
  readonly over: Promise<void>;
  /** Resolves a little later: outputs that were asked for and have not come by then are lost. */
  readonly late: Promise<void>;
}
