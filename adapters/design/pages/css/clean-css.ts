import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import { string, url } from 'css-tree/utils';
import { Unreadable } from '../unreadable.ts';

/** The maximum number of escapes. CSS usually has a few; millions would exceed the thread's memory. */
const MOST_ESCAPES = 200_000;

const ESCAPE = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|([^\r\n\f]))/gi;
const LETTER = /^[a-z]$/i;

const isCharacter = (point: number) => point !== 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);

const plainEscape = (_: string, hex: string | undefined, character: string | undefined): string => {
  if (hex === undefined) return LETTER.test(character ?? '') ? (character ?? '') : `\\${character}`;
  const point = Number.parseInt(hex, 16);
  if (!isCharacter(point)) return '\\fffd ';
  const decoded = String.fromCodePoint(point);
  return LETTER.test(decoded) ? decoded : `\\${point.toString(16)} `;
};

/**
 * Normalizes CSS as a tokenizer reads it (CSS Syntax 3, section 3.3) and decodes every escaped Latin letter: `\75rl(`
 * becomes `url(`, so that names can be recognized by their text. The meaning stays the same.
 */
export const plainCss = (css: string): string => {
  let escapes = 0;
  for (let at = css.indexOf('\\'); at >= 0; at = css.indexOf('\\', at + 1)) escapes++;
  if (escapes > MOST_ESCAPES) throw new Unreadable(`Its style has more than ${MOST_ESCAPES} escaped characters.`);
  return css
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll('\f', '\n')
    .replaceAll('\0', '\ufffd')
    .replace(ESCAPE, plainEscape);
};

export type CssToken = { readonly type: number; readonly text: string };

/** Functions that load an image, or that old browsers execute. */
const LOADING = new Set([
  ...['image', 'image-set', '-webkit-image-set', 'cross-fade', '-webkit-cross-fade', 'src', 'paint', 'element'],
  ...['-moz-element', 'expression', 'url-prefix', 'domain', 'regexp'],
]);

const DATA = /^data:(?:image\/(?:png|jpeg|gif|webp)|font\/woff2);base64,[a-z0-9+/]*={0,2}$/i;
const FRAGMENT = /^#[\w-]+$/;

/** True for the only URLs that CSS may contain: embedded images and fonts, and elements of the same page. */
export const isHarmlessAddress = (address: string): boolean => DATA.test(address) || FRAGMENT.test(address);

const { AtKeyword, BadString, BadUrl, CDC, CDO, Colon, Comma, Comment, Ident, Semicolon, Url, WhiteSpace } = tokenTypes;
const { LeftCurlyBracket, LeftParenthesis, LeftSquareBracket } = tokenTypes;
const { RightCurlyBracket, RightParenthesis, RightSquareBracket } = tokenTypes;

const CLOSERS: ReadonlyMap<number, number> = new Map([
  [tokenTypes.Function, RightParenthesis],
  [LeftParenthesis, RightParenthesis],
  [LeftSquareBracket, RightSquareBracket],
  [LeftCurlyBracket, RightCurlyBracket],
]);

/** The type of the token that closes this type; undefined if it opens nothing. */
export const closerOf = (type: number): number | undefined => CLOSERS.get(type);

export const isSpace = ({ type }: CssToken): boolean => type === WhiteSpace || type === Comment;

/** The position after the token that closes the function at `start`, or the end. */
const endOf = (tokens: readonly CssToken[], start: number): number => {
  const open: number[] = [];
  for (let i = start; i < tokens.length; i++) {
    const type = tokens[i]?.type ?? 0;
    const closer = closerOf(type);
    if (closer !== undefined) open.push(closer);
    else if (type === open.at(-1)) open.pop();
    if (open.length === 0) return i + 1;
  }
  return tokens.length;
};

const NOTHING = 'none';
const SPACE = ' ';

const address = (text: string): string => (isHarmlessAddress(text) ? `url(${text})` : NOTHING);

/** The replacement for a function whose arguments decide whether it stays; undefined for any other function. */
const judged = (name: string, args: readonly CssToken[]): string | undefined => {
  const [only, ...more] = args.filter((token) => !isSpace(token));
  const isOne = more.length === 0;
  if (name === 'attr') return isOne && only?.type === Ident ? `attr(${only.text})` : NOTHING;
  if (name === 'url') return isOne && only?.type === tokenTypes.String ? address(string.decode(only.text)) : NOTHING;
  return NOTHING;
};

const plain = ({ type, text }: CssToken): string => {
  if (type === Url) return address(url.decode(text));
  if (type === BadUrl) return NOTHING;
  if (type === Comment) return '/**/';
  if (type === tokenTypes.String) return string.encode(string.decode(text)).replace(/<(?=[/!])/g, '<\\');
  if (type === BadString || type === CDO || type === CDC || type === AtKeyword || type === WhiteSpace) return SPACE;
  return text;
};

const isJudged = ({ type, text }: CssToken): string | undefined => {
  if (type !== tokenTypes.Function) return undefined;
  const name = text.slice(0, -1).toLowerCase();
  return name === 'url' || name === 'attr' || LOADING.has(name) ? name : undefined;
};

/** The replacement text of each token. */
function* harmlessPieces(tokens: readonly CssToken[]): Generator<string> {
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as CssToken;
    const name = isJudged(token);
    if (name === undefined) {
      yield plain(token);
      continue;
    }
    const end = endOf(tokens, i);
    const isClosed = tokens[end - 1]?.type === RightParenthesis;
    yield judged(name, tokens.slice(i + 1, isClosed ? end - 1 : end)) ?? NOTHING;
    i = end - 1;
  }
}

/**
 * The tokens as text from which nothing loads: each external URL and each loading function becomes `none`. The text
 * cannot close a `<style>` element.
 */
export const harmlessText = (tokens: readonly CssToken[]): string => {
  const pieces: string[] = [];
  let last = SPACE;
  const add = (piece: string) => {
    if (piece === SPACE && last === SPACE) return;
    pieces.push(piece);
    last = piece;
  };
  for (const piece of harmlessPieces(tokens)) {
    const isSplit = piece === NOTHING || last === NOTHING || (last.endsWith('<') && /^[/!]/.test(piece));
    if (isSplit) add(SPACE);
    add(piece);
  }
  if (last === SPACE) pieces.pop();
  return pieces.join('');
};

/** A declaration that stays: its property in lower case, and the tokens of its value. */
export type Declaration = { readonly property: string; readonly value: readonly CssToken[]; readonly isFace: boolean };

type Listener = (declaration: Declaration) => void;

/** `sheet`: rules, as in a file or a `<style>`. `attribute`: declarations only. */
export type CssKind = 'sheet' | 'attribute';

const BLOCK_RULES = new Set([
  ...['media', 'supports', 'layer', 'container', 'scope', 'starting-style', 'keyframes', '-webkit-keyframes'],
  ...['font-face', 'page', 'property', 'counter-style', 'font-feature-values', 'position-try', 'view-transition'],
]);

/** Properties through which old browsers execute code. */
const RUNNING = new Set(['behavior', '-ms-behavior', '-moz-binding']);

/**
 * The sources of a font that load nothing. A browser ignores a whole list if it does not understand one of its sources.
 */
const harmlessSources = (value: readonly CssToken[]): string => {
  const sources: CssToken[][] = [[]];
  for (const token of value) {
    if (token.type === Comma) sources.push([]);
    else sources.at(-1)?.push(token);
  }
  const harmless = sources.map(harmlessText).filter((source) => source !== '' && !source.startsWith('none'));
  return harmless.length === 0 ? 'none' : harmless.join(',');
};

/** The maximum number of passes until the CSS no longer changes. */
const PASSES = 4;

/** The maximum depth of nested blocks, and the maximum number of tokens in a declaration or selector. */
const MOST_BLOCKS = 256;
const MOST_TOKENS = 100_000;

type Block = 'kept' | 'face' | 'dropped';

/** Reads the statements of a style sheet one by one, without recursion, and collects the harmless ones. */
class Cleaning {
  readonly #kind: CssKind;
  readonly #listener: Listener;
  readonly #pieces: string[] = [];
  readonly #blocks: Block[] = [];
  /** The closing tokens of the brackets that are open within the statement. */
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
 * CSS from which a browser loads nothing: no imports, and no URLs except embedded images and fonts. Cleaning the result
 * again changes nothing. Empty if the CSS does not settle.
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
