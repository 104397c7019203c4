import { named } from './named-colors.ts';

type Rgb = readonly [number, number, number];

const hexOf = (rgb: Rgb): string =>
  `#${rgb
    .map((part) =>
      Math.round(Math.min(1, Math.max(0, part)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** The colour of a hash such as `#abc` or `#aabbccdd`; undefined where it is none, or wholly transparent. */
export const hexColor = (hash: string): string | undefined => {
  const match = /^#(?:([0-9a-f]{3})([0-9a-f])?|([0-9a-f]{6})([0-9a-f]{2})?)$/i.exec(hash);
  if (!match) return undefined;
  const [, short, shortAlpha, long, alpha] = match;
  if (shortAlpha === '0' || alpha === '00') return undefined;
  return `#${short ? short.replace(/./g, '$&$&') : long}`.toLowerCase();
};

export const namedColor = (name: string): string | undefined => named[name.toLowerCase()];

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

export const isColorFunction = (name: string): boolean => MODELS.has(name);

/** The colour of a function and the texts of its arguments; undefined where they are none, or wholly transparent. */
export const functionColor = (name: string, args: readonly string[]): string | undefined => {
  const [a, b, c, alpha] = args;
  if (a === undefined || b === undefined || c === undefined) return undefined;
  if (alpha !== undefined && Number.parseFloat(alpha) === 0) return undefined;
  const color = MODELS.get(name)?.(a, b, c);
  return color?.every(Number.isFinite) ? hexOf(color) : undefined;
};
