/**
 * The colours and shapes that reports, charts and the site share, as CSS. Light or dark follows the reader's choice, or the
 * `color-scheme` of the root.
 */
export const LOOK = `
:root {
  color-scheme: light dark;
  --page: light-dark(#fff, #15171c);
  --raised: light-dark(#fff, #1b1e25);
  --text: light-dark(#1c1b22, #e9e9ee);
  --faint: light-dark(#55545f, #a9a9b4);
  --line: light-dark(#dcdbe4, #363a45);
  --shade: light-dark(#f5f4f9, #1e222a);
  --link: light-dark(#4a37c8, #b3a7ff);
  --shown: light-dark(#6a1b9a, #ce93d8);
  --refuted: light-dark(#b71c1c, #ff8a80);
  --not-refuted: light-dark(#1b5e20, #81c784);
  --failed: light-dark(#8a4b00, #ffb74d);
  --left: light-dark(#1565c0, #64b5f6);
  --right: light-dark(#c43c0c, #ff8a65);
  --event: light-dark(#ffd54f99, #8d6e0099);
}
.refuted, .broken { color: var(--refuted); }
.not-refuted, .holds { color: var(--not-refuted); }
.failed, .inconclusive, .undecided, .not-proved, .suspected { color: var(--failed); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 1.5rem; }
figure { margin: 0; min-width: 0; }
figcaption { font-size: 0.9rem; color: var(--faint); overflow-wrap: anywhere; }
.plot { display: block; width: 100%; height: auto; font-family: system-ui, sans-serif; }
.key { font-size: 0.9rem; margin: 0; }
.swatch { display: inline-block; width: 0.9em; height: 0.9em; border-radius: 2px; }
.swatch.left { background: var(--left); }
.swatch.right { background: var(--right); }
.swatch.shown { background: var(--shown); }
.scroll { max-height: 20rem; overflow: auto; }
`;
