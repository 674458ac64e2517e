/** What the programs use. */
export const BESIDE = `
const lap = (b, r) => { const u = r() - 0.5; return -b * Math.sign(u) * Math.log(1 - 2 * Math.abs(u)); };
const sum = (d) => d.reduce((a, x) => a + x, 0);
`;

/** Programs of two numbers from 0 to 1 whose noise is made by hand, and that keep ε = 1; Gaussian noise μ = 1. */
export const HAND_SAMPLERS: Readonly<Record<string, string>> = {
  inverse: `(d, source) => sum(d) + lap(1, () => source.uniform())`,
  own: `(d) => sum(d) + lap(1, Math.random)`,
  branches:
    `(d, source) => { const u = source.uniform(); return sum(d) + (u < 0.5 ? Math.log(2 * u) : -Math.log(2 * (1 - u))); }`,
  difference: `(d, source) => sum(d) - Math.log(source.uniform()) + Math.log(source.uniform())`,
  ratio: `(d, source) => sum(d) + Math.log(source.uniform() / source.uniform())`,
  coin:
    `(d) => { const s = Math.random() < 0.5 ? -1 : 1; return sum(d) + s * -Math.log(Math.random()); }`,
  coinAfter:
    `(d) => { const e = -Math.log(1 - Math.random()); return sum(d) + (Math.random() < 0.5 ? e : -e); }`,
  signed: `(d) => sum(d) + Math.sign(Math.random() - .5) * Math.log(Math.random())`,
  retry:
    `(d) => { let u = 0; while (u === 0) u = Math.random(); const v = u - .5; return sum(d) - (v < 0 ? -1 : 1) * Math.log(1 - 2 * Math.abs(v)); }`,
  max:
    `(d) => { let best = -Infinity, at = 0; d.forEach((x, i) => { const g = x - 2 * Math.log(-Math.log(Math.random())); if (g > best) { best = g; at = i; } }); return at; }`,
  expMax:
    `(d) => { let best = -Infinity, at = 0; d.forEach((x, i) => { const g = x - 2 * Math.log(Math.random()); if (g > best) { best = g; at = i; } }); return at; }`,
  lapMax:
    `(d) => { let best = -Infinity, at = 0; d.forEach((x, i) => { const g = x + lap(2, Math.random); if (g > best) { best = g; at = i; } }); return at; }`,
  logistic: `(d, source) => { const u = source.uniform(); return sum(d) + Math.log(u / (1 - u)); }`,
  svt:
    `(d, source) => { const t = lap(2, Math.random); return d.map((x) => x + lap(4 * d.length, source.uniform) >= t); }`,
  vector: `(d) => [d[0] + lap(1, Math.random), d[1] + lap(1, Math.random)]`,
  rounded: `(d) => Math.round(10 * (sum(d) + lap(1, Math.random))) / 10`,
  gauss:
    `(d, source) => sum(d) + Math.sqrt(-2 * Math.log(source.uniform())) * Math.cos(2 * Math.PI * source.uniform())`,
};

/** Programs that keep it, and that a recording suspects all the same. */
export const SUSPECTED_HAND_SAMPLERS: Readonly<Record<string, string>> = {
  signBelow:
    `(d) => { const u = Math.random(), s = u < 0.5 ? Math.sign(u - 0.5) : 1; return [s, sum(d) + lap(1, Math.random)]; }`,
};

/** Programs alike that do not keep it, or are not known to. */
export const WRONG_HAND_SAMPLERS: Readonly<Record<string, string>> = {
  infinite:
    `(d) => { const e = -Math.log(Math.random()); return e === Infinity ? d : d[0] + (Math.random() < .5 ? e : -e); }`,
  finite:
    `(d) => { const e = -Math.log(Math.random()); return isFinite(e) ? d[0] + (Math.random() < .5 ? e : -e) : d; }`,
  notANumber:
    `(d) => { const e = -Math.log(Math.random()); return e - e < 1 ? d[0] + (Math.random() < .5 ? e : -e) : d; }`,
  exactlyHalf: `(d) => Math.random() - .5 === 0 ? d : d[0] + lap(1, Math.random)`,
  onNeitherSide: `(d) => Math.sign(Math.random() - .5) === 0 ? d : d[0] + lap(1, Math.random)`,
  atNoDistance: `(d) => Math.abs(Math.random() - .5) <= 0 ? d : d[0] + lap(1, Math.random)`,
  halved: `(d) => sum(d) + lap(0.5, Math.random)`,
  halfInside:
    `(d) => { const u = Math.random() - .5; return sum(d) - 1 * Math.sign(u) * Math.log(1 - Math.abs(u)); }`,
  reused: `(d) => { const u = Math.random(); return [d[0] - Math.log(u), d[1] - Math.log(u)]; }`,
  reusedLap: `(d) => { const n = lap(1, Math.random); return [d[0] + n, d[1] + n]; }`,
  twoForms:
    `(d) => { const u = Math.random(); return [d[0] - Math.log(u) + Math.log(Math.random()), d[1] + Math.log(1 - u)]; }`,
  published: `(d) => { const u = Math.random(); return [sum(d) + lap(1, () => u), u]; }`,
  publishedRounded:
    `(d) => { const u = Math.random(); return [sum(d) + lap(1, () => u), Math.round(u * 100)]; }`,
  publishedCompare:
    `(d) => { const u = Math.random(); return [sum(d) + lap(1, () => u), u < 0.25]; }`,
  publishedHalf: `(d) => { const u = Math.random(); return [sum(d) + lap(1, () => u), u < 0.5]; }`,
  clipped:
    `(d) => { const n = lap(1, Math.random); return sum(d) + Math.max(-3, Math.min(3, n)); }`,
  clippedU:
    `(d) => { const u = Math.max(1e-3, Math.random()); return sum(d) - Math.log(u) + Math.log(Math.random()); }`,
  roundedU:
    `(d) => { const u = Math.round(Math.random() * 1000) / 1000 - .5; return sum(d) - Math.sign(u) * Math.log(1 - 2 * Math.abs(u)); }`,
  signLost:
    `(d) => { const u = Math.random() - .5; return sum(d) - Math.log(1 - 2 * Math.abs(u)); }`,
  oneSided: `(d) => sum(d) - Math.log(Math.random())`,
  wrongBranch:
    `(d) => { const u = Math.random(); return sum(d) + (u < 0.5 ? Math.log(2 * (1 - u)) : -Math.log(2 * u)); }`,
  sameBranch:
    `(d) => { const u = Math.random(); return sum(d) + (u < 0.5 ? -Math.log(2 * u) : -Math.log(2 * (1 - u))); }`,
  logUBranch:
    `(d) => { const u = Math.random(); return sum(d) + (u < 0.5 ? Math.log(u) : -Math.log(1 - u)); }`,
  sameUCondition:
    `(d) => { const u = Math.random(); const n = lap(1, () => u); return u < 0.5 ? sum(d) + n : d[0]; }`,
  dataCondition:
    `(d) => { const u = Math.random(); return u < d[0] ? sum(d) + lap(1, Math.random) : 0; }`,
  rowInSampler:
    `(d) => { const u = Math.random() - .5; return sum(d) - Math.sign(u) * Math.log(1 - 2 * Math.abs(u) * d[0]); }`,
  rowScale: `(d) => sum(d) + lap(1 + d[0], Math.random)`,
  rowU: `(d) => { const u = (Math.random() + d[0]) % 1; return sum(d) + lap(1, () => u); }`,
  shiftedU: `(d) => { const u = Math.random() * .5 + .25; return sum(d) + lap(1, () => u); }`,
  sum12:
    `(d) => { let s = -6; for (let i = 0; i < 12; i++) s += Math.random(); return sum(d) + s; }`,
  coinReused:
    `(d) => { const u = Math.random(), s = u < .5 ? -1 : 1; return sum(d) - s * Math.log(u); }`,
  coinExpTwice:
    `(d) => { const e = -Math.log(Math.random()); const s = Math.random() < .5 ? -1 : 1; return [d[0] + s * e, d[1] + e]; }`,
  coinTwo:
    `(d) => { const s = Math.random() < .5 ? -1 : 1; return [d[0] + s * -Math.log(Math.random()), d[1] - s * Math.log(Math.random()), s]; }`,
  diffReused:
    `(d) => { const a = -Math.log(Math.random()), b = -Math.log(Math.random()); return [d[0] + a - b, d[1] + b]; }`,
  diffReused2:
    `(d) => { const a = -Math.log(Math.random()), b = -Math.log(Math.random()), c = -Math.log(Math.random()); return [d[0] + (a - b), d[1] + (b - c), (c - a)]; }`,
  maxHalf:
    `(d) => { let best = -Infinity, at = 0; d.forEach((x, i) => { const g = x - .5 * Math.log(-Math.log(Math.random())); if (g > best) { best = g; at = i; } }); return at; }`,
  maxSame:
    `(d) => { const u = Math.random(); let best = -Infinity, at = 0; d.forEach((x, i) => { const g = x - 2 * Math.log(-Math.log(u)); if (g > best) { best = g; at = i; } }); return at; }`,
  maxValue:
    `(d) => { let best = -Infinity; d.forEach((x) => { const g = x - 2 * Math.log(-Math.log(Math.random())); if (g > best) best = g; }); return best; }`,
  logisticHalf: `(d) => { const u = Math.random(); return sum(d) + .5 * Math.log(u / (1 - u)); }`,
  logisticTwo:
    `(d) => { const u = Math.random(); return [d[0] + Math.log(u / (1 - u)), d[1] + Math.log(u)]; }`,
  retryRows:
    `(d) => { let u = Math.random(); if (u <= 1e-3) return d; return sum(d) + lap(1, () => u); }`,
  innerOuter:
    `(d) => { const u = Math.random() - .5, s = Math.sign(u); return [d[0] + s * Math.log(1 - 2 * Math.abs(u)), d[1] + s * Math.log(2 * Math.abs(u))]; }`,
  halfScaleInner:
    `(d) => { const u = Math.random() - .5; return sum(d) + Math.sign(u) * Math.log(Math.abs(u)); }`,
  log2:
    `(d) => { const u = Math.random() - .5; return sum(d) - .6 * Math.sign(u) * Math.log2(1 - 2 * Math.abs(u)) * .9; }`,
  gaussAsPure:
    `(d) => sum(d) + Math.sqrt(-2 * Math.log(Math.random())) * Math.cos(2 * Math.PI * Math.random())`,
  gaussWeak:
    `(d, source) => sum(d) + .5 * Math.sqrt(-2 * Math.log(Math.random())) * Math.cos(2 * Math.PI * Math.random())`,
  gaussSame:
    `(d) => { const u = Math.random(); return sum(d) + Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * u); }`,
  gaussBoth:
    `(d) => { const r = Math.sqrt(-2 * Math.log(Math.random())), a = 2 * Math.PI * Math.random(); return [d[0] + d[1] + r * Math.cos(a), d[0] - d[1] + r * Math.cos(a)]; }`,
  gaussRadius:
    `(d) => { const r = Math.sqrt(-2 * Math.log(Math.random())), a = 2 * Math.PI * Math.random(); return [d[0] + r * Math.cos(a), r]; }`,
  gaussHalfTurn:
    `(d) => sum(d) + Math.sqrt(-2 * Math.log(Math.random())) * Math.cos(Math.PI * Math.random())`,
  textLeak: `(d) => { const u = Math.random(); return \`\${sum(d) + lap(1, () => u)} \${u}\`; }`,
  indexLeak:
    `(d) => { const u = Math.random(); return [sum(d) + lap(1, () => u), [0, 1][Math.floor(2 * u)], d[Math.floor(2 * u)]]; }`,
  zeroLeak: `(d) => { const u = Math.random(); return u === 0 ? d : sum(d) + lap(1, () => u); }`,
};
