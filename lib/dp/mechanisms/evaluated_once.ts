/** Results of the caller's functions in the current release, by function and argument. */
let release: Map<unknown, Map<unknown, unknown>> | undefined;

/**
 * Runs a release in which each {@linkcode evaluatedOnce} function is called once for each argument: what was evaluated before the
 * budget paid is what is released, and a function that throws does so before.
 */
export function inOneRelease<Output>(body: () => Output): Output {
  const outer = release;
  release = new Map();
  try {
    return body();
  } finally {
    release = outer;
  }
}

/**
 * A function of the data, called once for each dataset in a release. Whatever a mechanism takes from data through a function of the
 * caller goes through it, in `check` too.
 */
export function evaluatedOnce<Data extends object, Value>(
  of: (data: Data) => Value,
): (data: Data) => Value {
  return (data) => {
    if (release === undefined) return of(data);
    let values = release.get(of);
    if (values === undefined) release.set(of, values = new Map());
    if (!values.has(data)) values.set(data, of(data));
    return values.get(data) as Value;
  };
}
