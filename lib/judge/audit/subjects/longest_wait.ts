/** The longest wait that a timer can be set for, in milliseconds, some 25 days: set for longer, it goes off at once. */
export const LONGEST_WAIT: number = 2 ** 31 - 1;
