/** The longest wait that a timer takes, in milliseconds, some 25 days: set for longer, it goes off at once. */
export const LONGEST_WAIT: number = 2 ** 31 - 1;
