/**
 * Tables 1 and 2 of Chaudhuri, Monteleoni, Sarwate 2011 as printed: errors at ε = 0.1, by loss and
 * method, for eight values of Λ (exponents of ten).
 */
export interface PrintedTable {
  readonly exponents: readonly number[];
  readonly errors: Readonly<Record<LossName, Readonly<Record<Method, readonly number[]>>>>;
}

/** The losses compared: logistic, and the Huber hinge with h = 1/2. */
export type LossName = "logistic" | "huber";

/** The methods compared. */
export type Method = "non-private" | "output" | "objective";

/** Table 1. */
export const PRINTED_ADULT: PrintedTable = {
  exponents: [-10, -7, -4, -3.5, -3, -2.5, -2, -1.5],
  errors: {
    logistic: {
      "non-private": [.1540, .1533, .1654, .1694, .1758, .1895, .2322, .2478],
      output: [.5318, .5318, .5175, .4928, .4310, .3163, .2395, .2456],
      objective: [.8248, .8248, .8248, .2694, .2369, .2161, .2305, .2475],
    },
    huber: {
      "non-private": [.1527, .1521, .1632, .1669, .1719, .1793, .2454, .2478],
      output: [.5318, .5318, .5211, .5011, .4464, .3352, .2376, .2476],
      objective: [.2585, .2585, .2585, .2582, .2559, .2046, .2319, .2478],
    },
  },
};

/** Table 2. */
export const PRINTED_KDD: PrintedTable = {
  exponents: [-9, -7, -5, -3.5, -3, -2.5, -2, -1.5],
  errors: {
    logistic: {
      "non-private": [.0016, .0016, .0021, .0038, .0037, .0037, .0325, .0594],
      output: [.5245, .5245, .5093, .3518, .1114, .0359, .0304, .0678],
      objective: [.2084, .2084, .2084, .0196, .0118, .0113, .0285, .0591],
    },
    huber: {
      "non-private": [.0013, .0013, .0013, .0029, .0051, .0056, .0061, .0163],
      output: [.5245, .5245, .5229, .4611, .3353, .0590, .0092, .0179],
      objective: [.0191, .0191, .0191, .1827, .0123, .0066, .0064, .0157],
    },
  },
};
