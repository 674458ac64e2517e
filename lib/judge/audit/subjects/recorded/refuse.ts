/** Throws an error that names the file and the rule. */
export type Refuse = (rule: string) => never;
