/** A class label as it stands in the data. */
export type Label = string | number | boolean;
