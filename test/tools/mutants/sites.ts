import { parseAst } from 'vitest/node';

/** One change at one position of a source: the text from `start` to `end` becomes `text`. */
export type Site = { readonly change: string; readonly start: number; readonly end: number; readonly text: string };

// biome-ignore lint/suspicious/noExplicitAny: the tree is read by the names of its nodes, which are checked first.
type Node = any;

/** The pairs that are swapped in both directions. */
const PAIRS = '< <=,> >=,=== !==,&& ||,+ -,* /,+= -=,some every,min max,startsWith endsWith'.split(',');
const OTHERS = new Map<string, string>();
for (const [one = '', other = ''] of PAIRS.map((pair) => pair.split(' '))) OTHERS.set(one, other).set(other, one);

/** These nodes wrap an expression. All other TypeScript nodes are types, which no test can notice. */
const WRAPPERS = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'];

/** A string of one word is a code that a program compares. Longer text is for people, and its wording is not tested. */
const IS_CODE = /^[\w:.-]+$/;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const partsOf = (node: Node): unknown[] => {
  if (WRAPPERS.includes(node.type)) return [node.expression];
  if (node.type.startsWith('TS') || node.type.startsWith('Import') || node.type === 'ExportAllDeclaration') return [];
  const { key, ...rest } = node;
  return Object.values(node.computed ? node : rest).flat();
};

const isCall = ({ expression }: Node): boolean =>
  (expression.type === 'AwaitExpression' ? expression.argument : expression).type === 'CallExpression';

/** True for a statement in a branch: without its return, the function continues. */
const isInBranch = ([parent, above]: readonly Node[]): boolean =>
  (parent?.type === 'BlockStatement' ? above : parent)?.type === 'IfStatement';

const changesOf = (node: Node, parents: readonly Node[], source: string): Site[] => {
  const at = (change: string, { start, end }: Node, text: string): Site => ({ change, start, end, text });
  const textOf = ({ start, end }: Node): string => source.slice(start, end);
  const swapped = (text: string, place: Node): Site[] => {
    const other = OTHERS.get(text);
    return other === undefined ? [] : [at(`${text} to ${other}`, place, other)];
  };
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      if (node.operator === '??') return [at('right side of ?? dropped', node, `(${textOf(node.left)})`)];
      const start = source.indexOf(node.operator, node.left.end);
      return swapped(node.operator, { start, end: start + node.operator.length });
    }
    case 'IfStatement':
    case 'ConditionalExpression':
      return [at('condition negated', node.test, `!(${textOf(node.test)})`)];
    case 'Literal':
      if (typeof node.value === 'boolean') return [at('boolean flipped', node, String(!node.value))];
      if (typeof node.value === 'number') return [at('number off by one', node, String(node.value + 1))];
      return IS_CODE.test(typeof node.value === 'string' ? node.value : '') ? [at('code emptied', node, "''")] : [];
    case 'MemberExpression':
      return swapped(node.property.name, node.property);
    case 'ExpressionStatement':
      return isCall(node) ? [at('call removed', node, '{}')] : [];
    case 'ReturnStatement':
      return isInBranch(parents) ? [at('return dropped', node, '{}')] : [];
    default:
      return [];
  }
};

const within = (node: Node, parents: readonly Node[], source: string): Site[] => [
  ...changesOf(node, parents, source),
  ...partsOf(node).flatMap((part) => (isNode(part) ? within(part, [node, ...parents], source) : [])),
];

const parsed = (source: string): Node => parseAst(source, { lang: 'ts' });

/** Every position of a source that a mutant may change. */
export const sitesOf = (source: string): Site[] => within(parsed(source), [], source);

/** The source with one change; null if the result does not parse. */
export const changed = (source: string, { start, end, text }: Site): string | null => {
  const mutant = `${source.slice(0, start)}${text}${source.slice(end)}`;
  try {
    parsed(mutant);
    return mutant;
  } catch {
    return null;
  }
};
