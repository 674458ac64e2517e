import ts from "typescript";

/** How a node is changed: by an expression in its place, or by leaving the statement out. */
export interface Replacement {
  /** The text in its place; `undefined` where a statement is left out. */
  readonly text: string | undefined;
}

/**
 * The mutants of one node. Terms and factors are dropped one by one, comparisons move their boundary,
 * both sides of a branch are taken always, guards are removed, rounding is dropped, constants move by one,
 * statements are left out.
 *
 * Not generated: what only changes a message, what a branch taken always or never already stands for, and
 * loops that have no end.
 */
export function replacementsOf(node: ts.Node, source: ts.SourceFile): Replacement[] {
  const text = (part: ts.Node): string => part.getText(source);
  const of = (...texts: string[]): Replacement[] => texts.map((text) => ({ text }));
  const found: Replacement[] = [];
  if (ts.isExpressionStatement(node)) {
    return isRemovable(node) ? [{ text: undefined }] : [];
  }
  if (!ts.isExpression(node)) return [];
  if (isBranch(node)) found.push(...of(...(isGuard(node) ? ["false"] : ["true", "false"])));
  if (ts.isBinaryExpression(node)) found.push(...of(...binary(node, text)));
  else if (ts.isPrefixUnaryExpression(node)) found.push(...of(...unary(node, text)));
  else if (ts.isCallExpression(node)) found.push(...of(...call(node, text)));
  else if (isFlag(node)) found.push(...of(text(node) === "true" ? "false" : "true"));
  const constant = isOperand(node) ? undefined : movedConstant(node, text);
  if (constant !== undefined) found.push(...of(constant));
  return found;
}

/** Whether nothing below a node is mutated: types, imports, messages, names. */
export function isLeftAlone(node: ts.Node): boolean {
  if (ts.isObjectBindingPattern(node) || ts.isArrayBindingPattern(node)) return false;
  return ts.isTypeNode(node) || ts.isTypeParameterDeclaration(node) ||
    ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isThrowStatement(node) ||
    ts.isTemplateExpression(node) ||
    "name" in node.parent && node.parent.name === node;
}

const { SyntaxKind } = ts;

function binary(node: ts.BinaryExpression, text: (part: ts.Node) => string): string[] {
  const a = text(node.left), b = text(node.right);
  switch (node.operatorToken.kind) {
    case SyntaxKind.PlusToken:
      return isText(node.left) || isText(node.right) ? [] : dropped(node, [a, b]);
    case SyntaxKind.MinusToken:
      return [a, `${a} + ${b}`];
    case SyntaxKind.AsteriskToken:
      return dropped(node, [a, b]);
    case SyntaxKind.SlashToken:
      return [a, `${a} * ${b}`];
    case SyntaxKind.PercentToken:
      return [a];
    case SyntaxKind.AsteriskAsteriskToken:
      return isConstant(node) ? [] : [a];
    case SyntaxKind.AmpersandAmpersandToken:
    case SyntaxKind.BarBarToken:
      return [a, b];
    case SyntaxKind.LessThanToken:
      return [`${a} <= ${b}`];
    case SyntaxKind.LessThanEqualsToken:
      return [`${a} < ${b}`];
    case SyntaxKind.GreaterThanToken:
      return [`${a} >= ${b}`];
    case SyntaxKind.GreaterThanEqualsToken:
      return [`${a} > ${b}`];
    case SyntaxKind.EqualsEqualsEqualsToken:
      return isCondition(node) ? [] : [`${a} !== ${b}`];
    case SyntaxKind.ExclamationEqualsEqualsToken:
      return isCondition(node) ? [] : [`${a} === ${b}`];
    case SyntaxKind.LessThanLessThanToken:
    case SyntaxKind.GreaterThanGreaterThanToken:
    case SyntaxKind.GreaterThanGreaterThanGreaterThanToken:
    case SyntaxKind.AmpersandToken:
    case SyntaxKind.BarToken:
    case SyntaxKind.CaretToken:
      return [a];
    default:
      return [];
  }
}

/** In a + b + c each term is dropped once: the node with the operators to the left drops c only. */
function dropped(node: ts.BinaryExpression, [left, right]: [string, string]): string[] {
  const { left: first, operatorToken } = node;
  return ts.isBinaryExpression(first) && first.operatorToken.kind === operatorToken.kind
    ? [left]
    : [left, right];
}

function unary(node: ts.PrefixUnaryExpression, text: (part: ts.Node) => string): string[] {
  if (isConstant(node)) return [];
  if (node.operator === SyntaxKind.MinusToken) return [text(node.operand)];
  return node.operator === SyntaxKind.ExclamationToken && !isCondition(node)
    ? [text(node.operand)]
    : [];
}

/** Functions that change their argument a little: the mutant leaves them out. */
const NEARLY_IDENTITY =
  /^(Math\.(abs|sqrt|ceil|floor|round|trunc|fround)|round(Up|Down)|next(Up|Down))$/;

function call(node: ts.CallExpression, text: (part: ts.Node) => string): string[] {
  const name = text(node.expression), [first] = node.arguments;
  if (/^Math\.(min|max)$/.test(name)) {
    if (node.arguments.some(ts.isSpreadElement)) {
      return [`${name === "Math.min" ? "Math.max" : "Math.min"}${text(node).slice(name.length)}`];
    }
    return node.arguments.map((left) =>
      `${name}(${node.arguments.filter((other) => other !== left).map(text).join(", ")})`
    );
  }
  if (first === undefined) return [];
  if (NEARLY_IDENTITY.test(name)) return [text(first)];
  if (name === "Math.expm1") return [`Math.exp(${text(first)})`];
  return name === "Math.log1p" ? [`Math.log(${text(first)})`] : [];
}

/** A number, a negative one, or a power of two numbers. */
function isConstant(node: ts.Node): boolean {
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) return true;
  if (ts.isPrefixUnaryExpression(node)) {
    return node.operator === SyntaxKind.MinusToken && isConstant(node.operand);
  }
  return ts.isBinaryExpression(node) && isConstant(node.left) && isConstant(node.right) &&
    node.operatorToken.kind === SyntaxKind.AsteriskAsteriskToken;
}

/** Whole numbers move by one, small ones (margins for rounding) vanish, others are doubled. */
function movedConstant(node: ts.Node, text: (part: ts.Node) => string): string | undefined {
  if (!isConstant(node) || isConstant(node.parent)) return undefined;
  const written = text(node);
  if (written.endsWith("n")) return `${written} + 1n`;
  const [base, power] = written.replaceAll(/[_\s]/g, "").split("**");
  const value = power === undefined ? Number(base) : Number(base) ** Number(power);
  if (Math.abs(value) < 1e-3 && value !== 0) return "0";
  return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? `${value + 1}` : `2 * (${written})`;
}

/** Whether the node is dropped already as a term or a factor. */
function isOperand({ parent }: ts.Node): boolean {
  return ts.isBinaryExpression(parent) && [
    SyntaxKind.PlusToken,
    SyntaxKind.MinusToken,
    SyntaxKind.AsteriskToken,
    SyntaxKind.SlashToken,
  ].includes(parent.operatorToken.kind);
}

function isFlag(node: ts.Node): boolean {
  return (node.kind === SyntaxKind.TrueKeyword || node.kind === SyntaxKind.FalseKeyword) &&
    !ts.isLiteralTypeNode(node.parent) && !isLoop(node.parent);
}

function isLoop(node: ts.Node): node is ts.WhileStatement | ts.DoStatement | ts.ForStatement {
  return ts.isWhileStatement(node) || ts.isDoStatement(node) || ts.isForStatement(node);
}

/** Whether the node decides an `if` or a `?:`. */
function isBranch(node: ts.Expression): boolean {
  const { parent } = node;
  return ts.isIfStatement(parent) && parent.expression === node ||
    ts.isConditionalExpression(parent) && parent.condition === node;
}

/** Whether the opposite of the node is stood for by a mutant above it. */
function isCondition(node: ts.Expression): boolean {
  const { parent } = node;
  return isBranch(node) || isLoop(parent) ||
    ts.isPrefixUnaryExpression(parent) ||
    ts.isBinaryExpression(parent) &&
      [SyntaxKind.AmpersandAmpersandToken, SyntaxKind.BarBarToken].includes(
        parent.operatorToken.kind,
      );
}

/** Whether the node guards an exit: `if (node) return …;` without `else`. */
function isGuard({ parent }: ts.Node): boolean {
  if (!ts.isIfStatement(parent) || parent.elseStatement !== undefined) return false;
  const { thenStatement } = parent;
  const last = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
  return last !== undefined &&
    (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last) ||
      ts.isBreakStatement(last));
}

/** Neither a call of `super` nor what a loop without a block waits for. */
function isRemovable({ expression, parent }: ts.ExpressionStatement): boolean {
  const isSuper = ts.isCallExpression(expression) &&
    expression.expression.kind === SyntaxKind.SuperKeyword;
  return !isSuper && !ts.isStringLiteral(expression) && !isLoop(parent);
}

function isText(node: ts.Expression): boolean {
  return ts.isStringLiteral(node) || ts.isTemplateExpression(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right));
}
