/** A share of outputs in words, as in "half" and "2.5%": rounded up, so that what is said of events this common stays true. */
export function shareText(share: number): string {
  const percent = 100 * share;
  const unit = 10 ** (Math.floor(Math.log10(Math.max(percent, 1e-12))) - 1);
  const rounded = Number((Math.ceil(percent / unit * (1 - 1e-12)) * unit).toPrecision(2));
  return rounded >= 50 ? "half" : `${rounded}%`;
}
