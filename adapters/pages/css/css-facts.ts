import { tokenTypes } from 'css-tree/tokenizer';
import { string } from 'css-tree/utils';
import type { ScreenColor } from '../../../domain/gallery/screen.ts';
import { type CssToken, closerOf, type Declaration, isSpace } from './clean-css.ts';

/** The named colours of CSS Color 4, section 6.1: names and their hex values in turn. */
const PAIRS = `
  aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc
  bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a
  burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed
  cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b
  darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b
  darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a
  darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1
  darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff
  firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff
  gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0
  hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa
  lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080
  lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3
  lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899
  lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6
  magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3
  mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a
  mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1
  moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23
  orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee
  palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd
  powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1
  saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d
  silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa
  springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0
  violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
`;

const words = PAIRS.trim().split(/\s+/);

/** The colour of each name as `#rrggbb`. */
const named: Readonly<Record<string, string>> = Object.assign(
  Object.create(null),
  Object.fromEntries(words.flatMap((word, i) => (i % 2 === 0 ? [[word, `#${words[i + 1]}`]] : []))),
);

type Rgb = readonly [number, number, number];

const hexOf = (rgb: Rgb): string =>
  `#${Buffer.from(rgb.map((part) => Math.round(Math.min(1, Math.max(0, part)) * 255))).toString('hex')}`;

/** The colour of a hash such as `#abc` or `#aabbccdd`; undefined where it is none, or wholly transparent. */
const hexColor = (hash: string): string | undefined => {
  const match = /^#(?:([0-9a-f]{3})([0-9a-f])?|([0-9a-f]{6})([0-9a-f]{2})?)$/i.exec(hash);
  if (!match) return undefined;
  const [, short, shortAlpha, long, alpha] = match;
  if (shortAlpha === '0' || alpha === '00') return undefined;
  return `#${short ? short.replace(/./g, '$&$&') : long}`.toLowerCase();
};

/** The red, green and blue of a hue in degrees, with saturation and lightness from 0 to 1 (CSS Color 4, section 7.1). */
const fromHsl = (hue: number, saturation: number, lightness: number): Rgb => {
  const part = (n: number) => {
    const k = (n + (((hue % 360) + 360) % 360) / 30) % 12;
    return lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [part(0), part(8), part(4)];
};

const gamma = (x: number): number => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);

/** Oklab as sRGB (CSS Color 4, section 9.2 and the sample code of section 18). */
const fromOklab = (lightness: number, a: number, b: number): Rgb => {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
};

const fromOklch = (lightness: number, chroma: number, hue: number): Rgb => {
  const angle = (hue * Math.PI) / 180;
  return fromOklab(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle));
};

/** A part of a colour as a number; a percentage is a share of `whole`. */
const number = (text: string, whole: number): number => {
  const value = Number.parseFloat(text);
  if (text.endsWith('%')) return (value / 100) * whole;
  if (text.endsWith('turn')) return value * 360;
  return text.endsWith('rad') ? (value * 180) / Math.PI : value;
};

const share = (text: string): number => Number.parseFloat(text) / 100;

type Model = (a: string, b: string, c: string) => Rgb;

const rgb: Model = (r, g, b) => [number(r, 255) / 255, number(g, 255) / 255, number(b, 255) / 255];
const hsl: Model = (h, s, l) => fromHsl(number(h, 360), Math.min(1, share(s)), share(l));

const MODELS: ReadonlyMap<string, Model> = new Map<string, Model>([
  ['rgb', rgb],
  ['rgba', rgb],
  ['hsl', hsl],
  ['hsla', hsl],
  ['oklab', (l, a, b) => fromOklab(number(l, 1), number(a, 0.4), number(b, 0.4))],
  ['oklch', (l, c, h) => fromOklch(number(l, 1), number(c, 0.4), number(h, 360))],
]);

/** The colour of a function and the texts of its arguments; undefined where they are none, or wholly transparent. */
const functionColor = (name: string, args: readonly string[]): string | undefined => {
  const [a, b, c, alpha] = args;
  if (a === undefined || b === undefined || c === undefined) return undefined;
  if (alpha !== undefined && Number.parseFloat(alpha) === 0) return undefined;
  const color = MODELS.get(name)?.(a, b, c);
  return color?.every(Number.isFinite) ? hexOf(color) : undefined;
};

const MOST_COLORS = 12;
const MOST_FONTS = 8;
/** A page has few colours and fonts; further ones of a page that has more count no more. */
const MOST_COUNTED = 10_000;

const GENERIC = new Set([
  ...['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'system-ui', 'ui-serif', 'ui-sans-serif'],
  ...['ui-monospace', 'ui-rounded', 'math', 'emoji', 'fangsong', 'inherit', 'initial', 'unset', 'revert'],
  ...['revert-layer', 'none', '-apple-system', 'blinkmacsystemfont'],
]);

const { Comma, Dimension, Hash, Ident, Number: Numeric, Percentage, RightParenthesis } = tokenTypes;
const { Function: FunctionToken, String: StringToken } = tokenTypes;

/** Properties in which a plain word can be a colour. */
const COLORED =
  /^--|color$|^(?:background|border|outline|fill|stroke|box-shadow|text-shadow|text-decoration)|^column-rule|^filter$/;

/** The value without those arguments of `light-dark()` that do not hold in this mode (CSS Color 5, section 7). */
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
    if (type === Hash) found.push(hexColor(text));
    if (type === Ident && COLORED.test(property)) found.push(named[text.toLowerCase()]);
    const name = type === FunctionToken ? text.slice(0, -1).toLowerCase() : '';
    if (!MODELS.has(name)) return;
    const rest = words.slice(i + 1, i + 12);
    const end = rest.findIndex((token) => token.type === RightParenthesis);
    const args = rest.slice(0, end).filter((token) => [Numeric, Percentage, Dimension].includes(token.type));
    const texts = args.map((token) => token.text);
    if (end > 0) found.push(functionColor(name, texts));
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

/** The list of families of `font`, which follows the size and the height of lines. */
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

/** The names of the variables in a value. */
const variablesOf = (value: readonly CssToken[]): string[] => {
  const words = value.filter((token) => !isSpace(token));
  const isUse = (token: CssToken | undefined) => token?.type === FunctionToken && token.text.toLowerCase() === 'var(';
  return words.flatMap(({ type, text }, i) => (type === Ident && isUse(words[i - 1]) ? [text] : []));
};

/**
 * Counts the colours and fonts of declarations. A colour that a variable holds counts once for each use of the variable,
 * and not at all where nothing uses it. The first value of a variable is the one that counts.
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
