// What the editor is made of: bundled by itself, and loaded where there is an editor.

export { python } from "@codemirror/lang-python";
export { javascript, javascriptLanguage } from "@codemirror/lang-javascript";
export { HighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language";
export { type Diagnostic, linter, lintGutter, setDiagnostics } from "@codemirror/lint";
export { tags } from "@lezer/highlight";
export { basicSetup, EditorView } from "codemirror";
