import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, type Token, tokensOf } from '../documents/read.ts';
import { splitCommands } from '../documents/split.ts';

export const DOCUMENT = 'docs/extending.md';

/** A change of the sources that a walk shows: a diff of files that are there, or a whole new file. */
export type Change =
  | { readonly kind: 'diff'; readonly line: number; readonly text: string }
  | { readonly kind: 'file'; readonly line: number; readonly text: string; readonly path: string };

/** Commands that a reader types, and what the last of them prints, as far as the document shows it. */
export type Commands = {
  readonly kind: 'commands';
  readonly line: number;
  readonly commands: readonly string[];
  readonly shown: readonly string[];
};

export type Step = Change | Commands;

/** A part of the document under a heading of the second level: one thing that a reader adds, step by step. */
export type Walk = { readonly title: string; readonly steps: readonly Step[] };

/** The language of a block, and the file that a block of a whole file names after it: `ts file=domain/a.ts`. */
const infoOf = ({ info }: Token): { readonly language: string; readonly path: string | undefined } => {
  const [language = '', ...rest] = info.trim().split(/\s+/);
  return { language, path: rest.find((word) => word.startsWith('file='))?.slice('file='.length) };
};

const stepOf = (token: Token): Step | undefined => {
  const { language, path } = infoOf(token);
  // The first line is the fence, so that the block itself begins on the next one.
  const line = (token.map?.[0] ?? 0) + 2;
  const text = token.content;
  if (path !== undefined) return { kind: 'file', line, text, path };
  if (language === 'diff') return { kind: 'diff', line, text };
  return language === 'sh' ? { kind: 'commands', line, commands: splitCommands(text), shown: [] } : undefined;
};

/** Adds a block to a walk. A block of `text` or `json` is what the commands before it print. */
const withBlock = (steps: readonly Step[], token: Token): Step[] => {
  const step = stepOf(token);
  if (step) return [...steps, step];
  const last = steps.at(-1);
  if (last?.kind !== 'commands') throw new Error(`${DOCUMENT} has a block after no command: ${token.content}`);
  const shown = token.content.split('\n').filter((line) => line.trim() !== '');
  return [...steps.slice(0, -1), { ...last, shown }];
};

/** Reads the walks of a text of Markdown. A heading without blocks below it is no walk. */
export const walksIn = (text: string): Walk[] => {
  const tokens = tokensOf(text);
  const walks: { title: string; steps: Step[] }[] = [];
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open' && token.tag === 'h2') {
      walks.push({ title: tokens[at + 1]?.content ?? '', steps: [] });
    }
    const walk = walks.at(-1);
    if (token.type === 'fence' && walk) walk.steps = withBlock(walk.steps, token);
  });
  return walks.filter(({ steps }) => steps.length > 0);
};

export const readDocument = (): string => readFileSync(join(PROJECT, DOCUMENT), 'utf8');
