import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT, readDocuments } from './read.ts';

/** The names in the table of outputs that a stack makes. */
const outputsOf = (stack: string): string[] => {
  const source = readFileSync(join(PROJECT, 'infra', 'stacks', `${stack}-stack.ts`), 'utf8');
  const [, table = ''] = /const outputs = \{\n([\s\S]*?)\n {4}\};/.exec(source) ?? [];
  return [...table.matchAll(/\b([A-Z]\w+)(?=:| &&|\b.*\})/g)].map(([, name = '']) => name);
};

test('the documents ask the stacks of AWS only for outputs that they have', () => {
  const asked = readDocuments().flatMap(({ commands }) =>
    commands.flatMap(({ text }) =>
      [...text.matchAll(/\$\(out (\w+) (\w+)\)/g)].map(([, stack = '', name = '']) => ({ stack, name })),
    ),
  );
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({ stack, name }) => !outputsOf(stack).includes(name))).toEqual([]);
});
