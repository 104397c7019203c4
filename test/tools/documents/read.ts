import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import MarkdownIt from 'markdown-it';

import { splitCommands } from './split.ts';

export type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

export const PROJECT = join(import.meta.dirname, '..', '..', '..');

/** A piece of a document, with the number of the line at which its paragraph or block begins. */
export type Piece = { readonly line: number; readonly text: string };

export type Doc = {
  /** The path from the root of the project. */
  readonly name: string;
  /** The commands of all blocks of shell, in the order in which they stand there. */
  readonly commands: readonly Piece[];
  /** The blocks of code that are no shell, such as JSON. */
  readonly blocks: readonly Piece[];
  /** The texts that are set as code within a sentence or a table. */
  readonly codes: readonly Piece[];
  readonly links: readonly Piece[];
  /** The names by which links reach the headings. */
  readonly anchors: ReadonlySet<string>;
};

const SHELLS = new Set(['sh', 'bash', 'shell', 'console']);
const NOT_OURS = new Set(['.git', '.data', 'node_modules', 'dist', 'coverage', 'cdk.out', 'lambda.out']);

/** The goods of the sample store are texts for its buyers; the skill among them is for agents that call this service. */
const GOODS = ['examples/store/assets', 'examples/store/sources'];
const SKILL = 'examples/store/sources/library-keeper/library-keeper';

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesUnder(path);
    return entry.isFile() && entry.name.endsWith('.md') ? [relative(PROJECT, path)] : [];
  });

/** The name that GitHub gives a heading: lower case, hyphens for spaces, and no other punctuation. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const textOf = (children: readonly Token[]): string => children.map(({ content }) => content).join('');

/** Headings of the same text get numbers from the second one on. */
const anchorsOf = (headings: readonly string[]): Set<string> => {
  const seen = new Map<string, number>();
  return new Set(
    headings.map(anchorOf).map((anchor) => {
      const before = seen.get(anchor) ?? 0;
      seen.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
};

const linksOf = ({ children }: Token): string[] =>
  (children ?? []).flatMap((token) => token.attrGet('href') ?? token.attrGet('src') ?? []).map(String);

export const tokensOf = (text: string): Token[] => new MarkdownIt({ html: true }).parse(text, {});

/** Reads the text of a document. */
export const readText = (name: string, source: string): Doc => {
  const text = source.replace(/^---\n[\s\S]*?\n---\n/, (front) => front.replaceAll(/[^\n]/g, ''));
  const tokens = tokensOf(text);
  // The cells of a table have no lines of their own; those of their row have.
  const lines = new Map<Token, number>();
  for (let at = 1, i = 0; i < tokens.length; i += 1) {
    const token = tokens[i] as Token;
    at = token.map ? token.map[0] + 1 : at;
    lines.set(token, at);
  }
  const line = (token: Token): number => lines.get(token) ?? 1;
  const inline = tokens.map((token, at) => ({ token, before: tokens[at - 1] })).filter(({ token }) => token.children);
  return {
    name,
    commands: tokens
      .filter(({ type, info }) => type === 'fence' && SHELLS.has(info.trim()))
      .flatMap((token) => splitCommands(token.content).map((command) => ({ line: line(token), text: command }))),
    blocks: tokens
      .filter(({ type, info }) => type === 'code_block' || (type === 'fence' && !SHELLS.has(info.trim())))
      .map((token) => ({ line: line(token), text: token.content })),
    codes: inline.flatMap(({ token }) =>
      (token.children ?? [])
        .filter(({ type }) => type === 'code_inline')
        .map(({ content }) => ({ line: line(token), text: content })),
    ),
    links: inline.flatMap(({ token }) => linksOf(token).map((link) => ({ line: line(token), text: link }))),
    anchors: anchorsOf(
      inline.filter(({ before }) => before?.type === 'heading_open').map(({ token }) => textOf(token.children ?? [])),
    ),
  };
};

/** Reads all documents of the project, in the order of their names. */
export const readDocuments = (): Doc[] =>
  filesUnder(PROJECT)
    .filter((name) => name.startsWith(`${SKILL}/`) || !GOODS.some((folder) => name.startsWith(`${folder}/`)))
    .sort()
    .map((name) => readText(name, readFileSync(join(PROJECT, name), 'utf8')));
