/** The options of `dpcheck canaries` as commander gives them, each value checked by itself. */
export interface CanariesArguments {
  readonly epsilon?: number;
  readonly delta?: number;
  readonly rho?: number;
  readonly mu?: number;
  readonly alpha?: number;
  readonly requirePower?: number;
  readonly seed?: number;
  readonly json?: string;
}
