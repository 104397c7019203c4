import { tokenTypes } from 'css-tree/tokenizer';
import { string } from 'css-tree/utils';
import { formatHex, parse } from 'culori';
import type { ScreenColor } from '../../../../domain/design/gallery/screen.ts';
import { type CssToken, closerOf, type Declaration, isSpace } from './clean-css.ts';

/** The color functions that are counted. */
const MODELS = new Set(['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch']);

/** The color of a text as `#rrggbb`; undefined if it is not a color, or fully transparent. */
const hexOf = (text: string): string | undefined => {
  try {
    const color = parse(text);
    return color?.alpha === 0 ? undefined : formatHex(color);
  } catch {
    // The package throws if a function ends early.
    return undefined;
  }
};

const MOST_COLORS = 12;
const MOST_FONTS = 8;
/** The maximum number of counted colors and fonts. A page has few; the excess is ignored. */
const MOST_COUNTED = 10_000;

const GENERIC = new Set([
  ...['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'system-ui', 'ui-serif', 'ui-sans-serif'],
  ...['ui-monospace', 'ui-rounded', 'math', 'emoji', 'fangsong', 'inherit', 'initial', 'unset', 'revert'],
  ...['revert-layer', 'none', '-apple-system', 'blinkmacsystemfont'],
]);

const { Comma, Dimension, Hash, Ident, Number: Numeric, Percentage, RightParenthesis } = tokenTypes;
const { Function: FunctionToken, String: StringToken } = tokenTypes;

/** Properties in which a bare word can be a color. */
const COLORED =
  /^--|color$|^(?:background|border|outline|fill|stroke|box-shadow|text-shadow|text-decoration)|^column-rule|^filter$/;

/** The value without those arguments of `light-dark()` that do not apply in this mode (CSS Color 5, section 7). */
const inMode = (value: readonly CssToken[], mode: 'light' | 'dark'): readonly CssToken[] => {
  const open: { readonly closer: number; readonly isChoice: boolean; isLeftOut: boolean }[] = [];
  let leftOut = 0;
  return value.filter(({ type, text }) => {
    const within = open.at(-1);
    const closer = closerOf(type);
    if (closer !== undefined) {
      const isChoice = type === FunctionToken && text.toLowerCase() === 'light-dark(';
      open.push({ closer, isChoice, isLeftOut: isChoice && mode === 'dark' });
      if (isChoice && mode === 'dark') leftOut++;
    } else if (within?.isChoice && type === Comma) {
      leftOut += within.isLeftOut ? -1 : 1;
      within.isLeftOut = !within.isLeftOut;
    } else if (type === within?.closer) {
      open.pop();
      if (within.isLeftOut) leftOut--;
    }
    return leftOut === 0;
  });
};

const colorsOf = (property: string, value: readonly CssToken[]): string[] => {
  const words = value.filter((token) => !isSpace(token));
  const found: (string | undefined)[] = [];
  words.forEach(({ type, text }, i) => {
    if (type === Hash || (type === Ident && COLORED.test(property))) found.push(hexOf(text));
    const name = type === FunctionToken ? text.slice(0, -1).toLowerCase() : '';
    if (!MODELS.has(name)) return;
    const rest = words.slice(i + 1, i + 12);
    const end = rest.findIndex((token) => token.type === RightParenthesis);
    const args = rest.slice(0, end).filter((token) => [Numeric, Percentage, Dimension].includes(token.type));
    const [a, b, c, alpha = '1'] = args.map((token) => token.text);
    if (end > 0 && c !== undefined) found.push(hexOf(`${name}(${a} ${b} ${c} / ${alpha})`));
  });
  return found.filter((color) => color !== undefined);
};

type Family = { readonly name: string } | { readonly variable: string } | undefined;

/** The first family of a list: a string, words, or a variable. */
const familyOf = (value: readonly CssToken[]): Family => {
  const words = value.filter((token) => !isSpace(token));
  const end = words.findIndex(({ type }) => type === Comma);
  const first = end < 0 ? words : words.slice(0, end);
  const [head, next] = first;
  if (head?.type === StringToken) return { name: string.decode(head.text).trim() };
  if (head?.type === FunctionToken && head.text.toLowerCase() === 'var(' && next?.type === Ident) {
    return { variable: next.text };
  }
  const idents = first.filter(({ type }) => type === Ident);
  return idents.length > 0 && idents.length === first.length
    ? { name: idents.map(({ text }) => text).join(' ') }
    : undefined;
};

/** The font families of `font`, which follow the font size and the line height. */
const afterSize = (value: readonly CssToken[]): readonly CssToken[] => {
  const comma = value.findIndex(({ type }) => type === Comma);
  const end = comma < 0 ? value.length : comma;
  const sizes = [Dimension, Percentage, Numeric];
  const size = value.findLastIndex(({ type }, i) => i < end && sizes.includes(type));
  return size < 0 ? [] : value.slice(size + 1);
};

const most = (counts: ReadonlyMap<string, number>, limit: number): [string, number][] =>
  [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, limit);

const count = (counts: Map<string, number>, key: string, by = 1): void => {
  if (counts.has(key) || counts.size < MOST_COUNTED) counts.set(key, (counts.get(key) ?? 0) + by);
};

const variablesOf = (value: readonly CssToken[]): string[] => {
  const words = value.filter((token) => !isSpace(token));
  const isUse = (token: CssToken | undefined) => token?.type === FunctionToken && token.text.toLowerCase() === 'var(';
  return words.flatMap(({ type, text }, i) => (type === Ident && isUse(words[i - 1]) ? [text] : []));
};

/**
 * Counts the colors and fonts of declarations. A color in a variable counts once for each use of the variable, so an
 * unused one does not count. The first value of a variable counts.
 */
export class CssFacts {
  readonly #mode: 'light' | 'dark';
  readonly #colors = new Map<string, number>();
  readonly #colorsOfVariables = new Map<string, readonly string[]>();
  readonly #uses = new Map<string, number>();
  readonly #families = new Map<string, number>();
  readonly #used = new Map<string, number>();
  readonly #variables = new Map<string, string>();

  constructor(mode: 'light' | 'dark') {
    this.#mode = mode;
  }

  readonly take = ({ property, value: whole, isFace }: Declaration): void => {
    const value = inMode(whole, this.#mode);
    const colors = colorsOf(property, value);
    if (!property.startsWith('--')) for (const color of colors) count(this.#colors, color);
    else if (colors.length > 0 && !this.#colorsOfVariables.has(property) && this.#colorsOfVariables.size < MOST_COUNTED)
      this.#colorsOfVariables.set(property, colors.slice(0, MOST_COLORS));
    for (const name of variablesOf(value)) count(this.#uses, name);
    if (isFace) return;
    if (property.startsWith('--') && this.#variables.size < MOST_COUNTED) {
      const family = familyOf(value);
      if (family && 'name' in family) this.#variables.set(property, family.name);
    }
    if (property !== 'font-family' && property !== 'font') return;
    const family = familyOf(property === 'font' ? afterSize(value) : value);
    if (family && 'name' in family) count(this.#families, family.name);
    else if (family) count(this.#used, family.variable);
  };

  colors(): ScreenColor[] {
    const counts = new Map(this.#colors);
    for (const [name, n] of this.#uses) {
      for (const color of this.#colorsOfVariables.get(name) ?? []) count(counts, color, n);
    }
    const all = [...counts.values()].reduce((sum, n) => sum + n, 0);
    return most(counts, MOST_COLORS).map(([hex, n]) => ({ hex, share: Math.round((n / all) * 10_000) / 10_000 }));
  }

  fonts(): string[] {
    const families = new Map<string, number>();
    for (const [name, n] of this.#families) count(families, name, n);
    for (const [variable, n] of this.#used) {
      const name = this.#variables.get(variable);
      if (name !== undefined) count(families, name, n);
    }
    const named = [...families].filter(
      ([name]) => name !== '' && name.length <= 100 && !GENERIC.has(name.toLowerCase()),
    );
    return most(new Map(named), MOST_FONTS).map(([name]) => name);
  }
}
