/** The options of `dpcheck prove` as commander gives them. */
export interface ProveArguments {
  readonly list?: boolean;
  readonly book?: boolean;
  readonly kind?: string;
  readonly seed?: string;
  readonly json?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly trusted?: boolean;
}
