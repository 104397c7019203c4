import { tokenTypes } from 'css-tree/tokenizer';
import { string, url } from 'css-tree/utils';

export type CssToken = { readonly type: number; readonly text: string };

/** Functions that load an image, or that old browsers run. */
const LOADING = new Set([
  ...['image', 'image-set', '-webkit-image-set', 'cross-fade', '-webkit-cross-fade', 'src', 'paint', 'element'],
  ...['-moz-element', 'expression', 'url-prefix', 'domain', 'regexp'],
]);

const DATA = /^data:(?:image\/(?:png|jpeg|gif|webp)|font\/woff2);base64,[a-z0-9+/]*={0,2}$/i;
const FRAGMENT = /^#[\w-]+$/;

/** The only addresses that style may have: images and fonts that it holds itself, and elements of the same page. */
export const isHarmlessAddress = (address: string): boolean => DATA.test(address) || FRAGMENT.test(address);

const { AtKeyword, BadString, BadUrl, CDC, CDO, Comment, Ident, Url, WhiteSpace } = tokenTypes;
const { LeftCurlyBracket, LeftParenthesis, LeftSquareBracket } = tokenTypes;
const { RightCurlyBracket, RightParenthesis, RightSquareBracket } = tokenTypes;

const CLOSERS: ReadonlyMap<number, number> = new Map([
  [tokenTypes.Function, RightParenthesis],
  [LeftParenthesis, RightParenthesis],
  [LeftSquareBracket, RightSquareBracket],
  [LeftCurlyBracket, RightCurlyBracket],
]);

/** The type of the token that closes what this type opens; undefined where it opens nothing. */
export const closerOf = (type: number): number | undefined => CLOSERS.get(type);

export const isSpace = ({ type }: CssToken): boolean => type === WhiteSpace || type === Comment;

/** The place after the token that closes the function at `start`, or the end. */
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

/** The text of a function whose arguments decide whether it stays; undefined for any other. */
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

/** The texts that take the place of tokens, one by one. */
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
 * Tokens as text in which nothing loads: each outside address and each loading function has become `none`. The text
 * ends no `<style>` element.
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
