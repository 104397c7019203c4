import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, type Token, tokensOf } from '../documents/read.ts';
import { splitCommands } from '../documents/split.ts';

export const DOCUMENT = 'docs/extending.md';

/** A change of the sources in a walk: a diff of existing files, or a whole new file. */
export type Change =
  | { readonly kind: 'diff'; readonly line: number; readonly text: string }
  | { readonly kind: 'file'; readonly line: number; readonly text: string; readonly path: string };

/** Commands that a reader types. */
export type Commands = { readonly kind: 'commands'; readonly line: number; readonly commands: readonly string[] };

export type Step = Change | Commands;

/** A part of the document under a heading `Add …`: one extension, step by step. */
export type Walk = { readonly title: string; readonly steps: readonly Step[] };

/** The step of a block. A block with a whole file has the file's path in its info: `ts file=domain/a.ts`. */
const stepOf = ({ info, map, content: text }: Token): Step => {
  const [language = '', file = ''] = info.trim().split(/\s+/);
  // The first line is the fence, so the block itself begins on the next one.
  const line = (map?.[0] ?? 0) + 2;
  if (file.startsWith('file=')) return { kind: 'file', line, text, path: file.slice('file='.length) };
  if (language === 'diff') return { kind: 'diff', line, text };
  if (language === 'sh') return { kind: 'commands', line, commands: splitCommands(text) };
  throw new Error(`${DOCUMENT}, line ${line}: a walk has no use for a block of "${info}".`);
};

/** Reads the walks of a Markdown text. */
export const walksIn = (text: string): Walk[] => {
  const tokens = tokensOf(text);
  const parts: { title: string; steps: Step[] }[] = [];
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open' && token.tag === 'h2')
      parts.push({ title: tokens[at + 1]?.content ?? '', steps: [] });
    const part = parts.at(-1);
    if (token.type === 'fence' && part?.title.startsWith('Add ')) part.steps.push(stepOf(token));
  });
  return parts.filter(({ steps }) => steps.length > 0);
};

export const readDocument = (): string => readFileSync(join(PROJECT, DOCUMENT), 'utf8');
