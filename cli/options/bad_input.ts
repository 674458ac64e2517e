/** Thrown for wrong input of the user. It is reported in one line, with exit status 2. */
export class BadInput extends Error {
  override readonly name = "BadInput";
}

/** Runs `read`, and reports its RangeError, TypeError or SyntaxError as wrong input of an option. */
export function reading<Value>(option: string, value: string, read: () => Value): Value {
  try {
    const result = read();
    return result instanceof Promise
      ? result.catch((error) => refuse(option, value, error)) as Value
      : result;
  } catch (error) {
    return refuse(option, value, error);
  }
}

function refuse(option: string, value: string, error: unknown): never {
  if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) {
    const shown = value.length <= 200 ? value : `${value.slice(0, 200)}…`;
    throw new BadInput(`${option} ${shown}: ${error.message}`, { cause: error });
  }
  throw error;
}
