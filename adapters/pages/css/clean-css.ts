import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import { Unreadable } from '../unreadable.ts';
import { plainCss } from './escapes.ts';
import { type CssToken, closerOf, harmlessText, isSpace } from './harmless-values.ts';

/** A declaration that was kept: its property in lower case, and the tokens of its value. */
export type Declaration = { readonly property: string; readonly value: readonly CssToken[]; readonly isFace: boolean };

type Listener = (declaration: Declaration) => void;

/** `sheet`: rules, as in a file or a `<style>`. `attribute`: declarations alone. */
export type CssKind = 'sheet' | 'attribute';

const { AtKeyword, Colon, Comma, Ident, LeftCurlyBracket, RightCurlyBracket, Semicolon } = tokenTypes;

const BLOCK_RULES = new Set([
  ...['media', 'supports', 'layer', 'container', 'scope', 'starting-style', 'keyframes', '-webkit-keyframes'],
  ...['font-face', 'page', 'property', 'counter-style', 'font-feature-values', 'position-try', 'view-transition'],
]);

/** Properties by which old browsers run code. */
const RUNNING = new Set(['behavior', '-ms-behavior', '-moz-binding']);

/** The sources of a font that load nothing. Browsers ignore a whole list for one source that they do not understand. */
const harmlessSources = (value: readonly CssToken[]): string => {
  const sources: CssToken[][] = [[]];
  for (const token of value) {
    if (token.type === Comma) sources.push([]);
    else sources.at(-1)?.push(token);
  }
  const kept = sources.map(harmlessText).filter((source) => source !== '' && !source.startsWith('none'));
  return kept.length === 0 ? 'none' : kept.join(',');
};

/** How often style is read again until it stays the same. */
const PASSES = 4;

/** The most blocks within each other, and the most tokens of one declaration or selector. */
const MOST_BLOCKS = 256;
const MOST_TOKENS = 100_000;

type Block = 'kept' | 'face' | 'dropped';

/** Reads the statements of a style sheet one by one, without recursion, and collects those that are harmless. */
class Cleaning {
  readonly #kind: CssKind;
  readonly #listener: Listener;
  readonly #pieces: string[] = [];
  readonly #blocks: Block[] = [];
  /** The closers of brackets that are open inside the statement. */
  readonly #open: number[] = [];
  #statement: CssToken[] = [];
  #dropping = 0;

  constructor(kind: CssKind, listener: Listener) {
    this.#kind = kind;
    this.#listener = listener;
  }

  take(token: CssToken): void {
    const { type } = token;
    const isInside = this.#open.length > 0;
    if (!isInside && type === LeftCurlyBracket) this.#begin();
    else if (!isInside && type === RightCurlyBracket) this.#end();
    else if (!isInside && type === Semicolon) this.#declare();
    else this.#collect(token);
  }

  #collect(token: CssToken): void {
    const { type } = token;
    const closer = closerOf(type);
    if (closer !== undefined) this.#open.push(closer);
    else if (type === this.#open.at(-1)) this.#open.pop();
    this.#statement.push(token);
    if (this.#statement.length > MOST_TOKENS) {
      throw new Unreadable(`A declaration or selector in its style has more than ${MOST_TOKENS} parts.`);
    }
  }

  text(): string {
    this.#declare();
    while (this.#blocks.length > 0) this.#end();
    return this.#pieces.join('');
  }

  #taken(): CssToken[] {
    const statement = this.#statement;
    const from = statement.findIndex((token) => !isSpace(token));
    this.#statement = [];
    return from < 0 ? [] : statement.slice(from);
  }

  #begin(): void {
    const prelude = this.#taken();
    const [first] = prelude;
    const rule = first?.type === AtKeyword ? first.text.slice(1).toLowerCase() : undefined;
    const isRunning = first !== undefined && RUNNING.has(first.text.toLowerCase());
    const isKept = this.#kind === 'sheet' && !isRunning && (rule === undefined || BLOCK_RULES.has(rule));
    if (this.#blocks.length >= MOST_BLOCKS) {
      throw new Unreadable(`Its style nests more than ${MOST_BLOCKS} blocks.`);
    }
    this.#blocks.push(isKept ? (rule === 'font-face' ? 'face' : 'kept') : 'dropped');
    if (!isKept) this.#dropping++;
    if (this.#dropping > 0) return;
    const text = harmlessText(rule === undefined ? prelude : prelude.slice(1));
    this.#pieces.push(rule === undefined ? text : `@${rule} ${text}`.trimEnd(), '{');
  }

  #end(): void {
    this.#declare();
    const block = this.#blocks.pop();
    if (block === 'dropped') this.#dropping--;
    else if (block !== undefined && this.#dropping === 0) this.#pieces.push('}');
  }

  #declare(): void {
    const [name, ...rest] = this.#taken();
    if (!name || this.#dropping > 0) return;
    if (name.type === AtKeyword) {
      if (name.text.toLowerCase() === '@layer') this.#pieces.push(`@layer ${harmlessText(rest)};`);
      return;
    }
    const colon = rest.findIndex((token) => !isSpace(token));
    if (name.type !== Ident || rest[colon]?.type !== Colon) return;
    const property = name.text.startsWith('--') ? name.text : name.text.toLowerCase();
    if (RUNNING.has(property)) return;
    const value = rest.slice(colon + 1);
    const text = property === 'src' ? harmlessSources(value) : harmlessText(value);
    this.#pieces.push(`${property}:${text};`);
    this.#listener({ property, value, isFace: this.#blocks.at(-1) === 'face' });
  }
}

const cleanOnce = (css: string, kind: CssKind, listener: Listener): string => {
  const source = plainCss(css);
  const cleaning = new Cleaning(kind, listener);
  tokenize(source, (type, start, end) => cleaning.take({ type, text: source.slice(start, end) }));
  return cleaning.text();
};

/**
 * Style from which a browser loads nothing: no import, and no address but images and fonts that the style holds itself.
 * Cleaning the result again changes nothing. Empty where the style does not settle.
 */
export const cleanCss = (css: string, kind: CssKind, listener: Listener = () => {}): string => {
  let clean = cleanOnce(css, kind, listener);
  for (let pass = 1; pass < PASSES; pass++) {
    const next = cleanOnce(clean, kind, () => {});
    if (next === clean) return clean;
    clean = next;
  }
  return '';
};
