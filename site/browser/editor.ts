import {
  basicSetup,
  type Diagnostic,
  EditorView,
  HighlightStyle,
  javascript,
  javascriptLanguage,
  linter,
  lintGutter,
  python,
  setDiagnostics,
  syntaxHighlighting,
  syntaxTree,
  tags,
} from "./editor_packages.ts";

/** An editor in the place of a text area, which keeps its text. */
export interface Editor {
  /** Shows an error at a line, counted from 1. */
  showError(line: number, message: string): void;
  /** Takes the text of the text area anew, in a language. */
  refresh(language: string): void;
}

/** The methods of `source`, as the editor offers them: what each takes, and what it draws. */
const METHODS: readonly (readonly [name: string, takes: string, draws: string])[] = [
  ["laplace", "({ scale: 1 })", "Laplace noise"],
  ["gaussian", "({ deviation: 1 })", "Gaussian noise"],
  ["exponential", "({ scale: 1 })", "a waiting time"],
  ["gumbel", "({ scale: 1 })", "Gumbel noise"],
  ["discreteLaplace", "({ scale: 1 })", "whole Laplace noise"],
  ["discreteGaussian", "({ variance: 1 })", "whole Gaussian noise"],
  ["bernoulli", "({ probability: 0.5 })", "true or false"],
  ["integer", "({ min: 0, max: 9 })", "a whole number"],
  ["choice", "({ weights: [1, 1] })", "a place, by weights"],
  ["geometric", "({ probability: 0.5 })", "failures before a success"],
  ["uniform", "()", "a number between 0 and 1"],
  ["uint32", "()", "32 random bits"],
  ["split", '("label")', "a source of its own"],
  ["sum", "(a, b)", "adds noisy numbers, so that a proof can follow"],
  ["difference", "(a, b)", "subtracts noisy numbers"],
  ["multiple", "(a, 2)", "multiplies a noisy number by a plain one"],
  ["less", "(a, b)", "compares noisy numbers"],
  ["indexOfLargest", "(list)", "the place of the largest of noisy numbers"],
];

interface Completing {
  readonly pos: number;
  matchBefore(pattern: RegExp): { readonly from: number; readonly text: string } | null;
}

/** Completes what may follow `source.`. */
function completeSource(context: Completing): unknown {
  const typed = context.matchBefore(/\bsource\.\w*/);
  if (typed === null) return null;
  return {
    from: typed.from + "source.".length,
    options: METHODS.map(([name, takes, draws]) => ({
      label: name,
      type: "method",
      detail: draws,
      apply: `${name}${takes}`,
    })),
    validFor: /^\w*$/,
  };
}

/** Marks what is no code, at its place. */
const syntaxErrors = linter((view) => {
  const found: Diagnostic[] = [];
  syntaxTree(view.state).iterate({
    enter: ({ type, from, to }) => {
      if (!type.isError || found.length > 0) return;
      found.push({ from, to: Math.max(to, from), severity: "error", message: "Syntax error" });
    },
  });
  return found;
});

const THEME = EditorView.theme({
  "&": { fontSize: "0.86rem", backgroundColor: "var(--shade)", color: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--shade)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-content": { fontFamily: "ui-monospace, Menlo, Consolas, monospace", paddingBlock: "0.6rem" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "color-mix(in srgb, var(--link) 25%, transparent)",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--link)",
    color: "var(--page)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--line)",
  },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--link) 30%, transparent) !important",
  },
  "&.cm-focused": { outline: "2px solid var(--link)" },
});

/** The colours of code elsewhere on the site (style.css), in light and in dark. */
const COLOURS = syntaxHighlighting(HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null, tags.self], color: "var(--keyword)" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: "var(--string)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: tags.number, color: "var(--number)" },
  {
    tag: [tags.function(tags.variableName), tags.definition(tags.variableName), tags.className],
    color: "var(--title)",
  },
  { tag: tags.propertyName, color: "var(--name)" },
]));

/** Puts an editor beside a text area, which it hides and whose text it keeps current. */
export function editorFor(area: HTMLTextAreaElement, language: string): Editor {
  const place = document.createElement("div");
  place.className = "editor";
  // Styles of an editor in a shadow need no permission of the page's policy.
  const root = place.attachShadow({ mode: "open" });
  area.after(place);
  area.hidden = true;
  let view: InstanceType<typeof EditorView> | undefined;
  const open = (name: string): void => {
    view?.destroy();
    view = new EditorView({
      doc: area.value,
      parent: root as unknown as Element,
      root,
      extensions: [
        basicSetup,
        lintGutter(),
        name === "python" ? python() : [
          javascript(),
          javascriptLanguage.data.of({ autocomplete: completeSource }),
        ],
        syntaxErrors,
        THEME,
        COLOURS,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "The function" }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          area.value = update.state.doc.toString();
          area.dispatchEvent(new Event("edited"));
        }),
      ],
    });
  };
  open(language);
  area.addEventListener("change", () => {
    if (view!.state.doc.toString() === area.value) return;
    view!.dispatch({ changes: { from: 0, to: view!.state.doc.length, insert: area.value } });
  });
  return {
    showError(line, message): void {
      const { doc } = view!.state, at = doc.line(Math.min(Math.max(1, line), doc.lines));
      view!.dispatch(setDiagnostics(view!.state, [{
        from: at.from,
        to: at.to,
        severity: "error",
        message,
      }]));
      view!.dispatch({ effects: EditorView.scrollIntoView(at.from, { y: "nearest" }) });
    },
    refresh: open,
  };
}
