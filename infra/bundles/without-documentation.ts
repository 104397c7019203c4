import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

type Edit = { readonly start: number; readonly end: number; readonly text: string };

const propertiesOf = (node: ts.Expression | undefined): readonly ts.PropertyAssignment[] =>
  node && ts.isObjectLiteralExpression(node) ? node.properties.filter(ts.isPropertyAssignment) : [];

const named = (properties: readonly ts.PropertyAssignment[], names: readonly string[]): ts.PropertyAssignment[] =>
  properties.filter(({ name }) => names.includes(name.getText()));

const isEndpoint = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.getText() === 'endpoint';

/** What of a declaration is there for readers and tests alone: no request is answered by it. */
const documentationOf = (endpoint: ts.CallExpression): readonly ts.PropertyAssignment[] => {
  const properties = propertiesOf(endpoint.arguments[0]);
  const outputs = named(properties, ['output']).flatMap(({ initializer }) => propertiesOf(initializer));
  return [
    ...named(properties, ['summary', 'description', 'bodyExample', 'pathExamples']),
    ...named(outputs, ['schema', 'example', 'joinedExample']),
  ];
};

/** Whether esbuild would keep the value though nobody asks for it: making it may run code, a spread object's as well. */
const isKept = (node: ts.Node): boolean => {
  if (ts.isFunctionLike(node)) return false;
  if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isSpreadAssignment(node)) return true;
  return ts.forEachChild(node, isKept) === true;
};

const edits = (source: ts.SourceFile): Edit[] =>
  source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList: { declarations } }) =>
    declarations.flatMap(({ initializer }): Edit[] => {
      if (!initializer || !isKept(initializer)) return [];
      if (isEndpoint(initializer)) {
        return documentationOf(initializer).map((part) => ({
          start: part.initializer.getStart(),
          end: part.end,
          text: 'undefined',
        }));
      }
      const [start, end] = [initializer.getStart(), initializer.end];
      // What nobody asks for any more goes, for a call that is marked as pure has no other effect.
      return [{ start, end, text: `/* @__PURE__ */ (() => (${source.text.slice(start, end)}))()` }];
    }),
  );

/** A module of `ports/inbound` without the documentation of its endpoints; everything in it is data. */
export const leanDeclarations = (file: string, text: string): string => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return edits(source)
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end, text: other }) => rest.slice(0, start) + other + rest.slice(end), text);
};

/**
 * An endpoint is declared with its documentation, the schema and an example of its answer among it, which only the
 * reference reads. Building some hundred schemas would be a part of every function's start that grows with each endpoint.
 */
export const withoutDocumentation: Plugin = {
  name: 'without-documentation',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]ports[/\\]inbound[/\\].*\.ts$/ }, async ({ path }) => ({
      contents: leanDeclarations(path, await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};
