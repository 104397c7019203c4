import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { projectFiles } from '../../support/project-files.ts';
import { splitCommands } from './split.ts';

export type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

export const PROJECT = join(import.meta.dirname, '..', '..', '..');

/** A piece of a document, with the line on which its paragraph or block begins. */
export type Piece = { readonly line: number; readonly text: string };

export type Doc = {
  /** The path from the root of the project. */
  readonly name: string;
  /** The commands of all shell blocks, in order. */
  readonly commands: readonly Piece[];
  /** The code blocks other than shell, such as JSON. */
  readonly blocks: readonly Piece[];
  /** The code in sentences and tables. */
  readonly codes: readonly Piece[];
  readonly links: readonly Piece[];
  /** The anchors of the headings. */
  readonly anchors: ReadonlySet<string>;
};

/** The sample store's goods are texts for its buyers; the skill among them is for agents that call this service. */
const GOODS = ['examples/store/assets', 'examples/store/sources'];
const SKILL = 'examples/store/sources/library-keeper/library-keeper/SKILL.md';

/** GitHub's anchors for headings. Repeated headings get numbers from the second one on. */
const anchorsOf = (headings: readonly string[]): Set<string> => {
  const seen = new Map<string, number>();
  return new Set(
    headings.map((heading) => {
      const anchor = heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-');
      const before = seen.get(anchor) ?? 0;
      seen.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
};

export const tokensOf = (text: string): Token[] => new MarkdownIt({ html: true }).parse(text, {});

/** Reads the text of a document. */
export const readText = (name: string, source: string): Doc => {
  const tokens = tokensOf(source.replace(/^---\n[\s\S]*?\n---\n/, (front) => front.replaceAll(/[^\n]/g, '')));
  let at = 1;
  const pieces = tokens.map((token, i) => {
    // A table cell has no line number; its row has.
    at = token.map ? token.map[0] + 1 : at;
    return { token, line: at, children: token.children ?? [], isHeading: tokens[i - 1]?.type === 'heading_open' };
  });
  const isShell = ({ type, info }: Token): boolean =>
    type === 'fence' && /^(?:sh|bash|shell|console)$/.test(info.trim());
  const isCode = ({ type }: Token): boolean => type === 'fence' || type === 'code_block';
  const within = (textsIn: (child: Token) => string[]): Piece[] =>
    pieces.flatMap(({ line, children }) => children.flatMap(textsIn).map((text) => ({ line, text })));
  return {
    name,
    commands: pieces
      .filter(({ token }) => isShell(token))
      .flatMap(({ token, line }) => splitCommands(token.content).map((text) => ({ line, text }))),
    blocks: pieces
      .filter(({ token }) => isCode(token) && !isShell(token))
      .map(({ token, line }) => ({ line, text: token.content })),
    codes: within(({ type, content }) => (type === 'code_inline' ? [content] : [])),
    links: within((child) => [child.attrGet('href') ?? child.attrGet('src') ?? []].flat().map(String)),
    anchors: anchorsOf(
      pieces
        .filter(({ isHeading }) => isHeading)
        .map(({ children }) => children.map(({ content }) => content).join('')),
    ),
  };
};

/** Reads all documents of the project, by name. */
export const readDocuments = (): Doc[] =>
  projectFiles()
    .filter((name) => name.endsWith('.md') && (name === SKILL || !GOODS.some((folder) => name.startsWith(folder))))
    .map((name) => readText(name, readFileSync(join(PROJECT, name), 'utf8')));
