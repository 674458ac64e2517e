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
.plain { font-size: 1.15rem; }
.diff { list-style: none; padding: 0; } .diff li { padding: 0.15rem 0.5rem; border-left: 0.3rem solid var(--line); }
.diff li.left { border-color: var(--left); } .diff li.right { border-color: var(--right); }
.where { display: inline-block; min-width: 5.5rem; }
.fold { border-top: 1px solid var(--line); padding: 0.7rem 0; }
.fold > summary { cursor: pointer; } .fold > summary h2 { display: inline; margin: 0; }
.first { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; margin: 1.2rem 0 2rem; }
.card { border: 1px solid var(--line); border-radius: 10px; padding: 0.9rem 1.1rem; background: var(--raised); min-width: 0; }
.card h2 { margin: 0 0 0.5rem; font-size: 0.85rem; letter-spacing: 0.04em; text-transform: uppercase; color: var(--faint); }
.card p { margin: 0.4rem 0; } .card.whole { grid-column: 1 / -1; }
.times { font-size: 2.4rem; font-weight: 700; line-height: 1.1; margin: 0; }
.measure { width: 100%; height: auto; display: block; margin: 0.5rem 0; }
.sets { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.4rem 0.8rem; align-items: baseline; }
.sets svg { max-width: 100%; }
.rows { display: flex; flex-wrap: wrap; gap: 0.3rem; min-width: 0; }
.rows span { border: 1px solid var(--line); border-radius: 5px; padding: 0 0.45rem; min-width: 0; overflow-wrap: anywhere; }
.rows .left { border-color: var(--left); border-width: 2px; } .rows .right { border-color: var(--right); border-width: 2px; }
.rows .none { border-style: dashed; color: var(--faint); }
.side-left { color: var(--left); font-weight: 600; } .side-right { color: var(--right); font-weight: 600; }
`;
