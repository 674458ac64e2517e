/** The version of dpcheck that reports name. */
export const VERSION = "0.1.0";
