/* The accent color of the shop's pages, with the minimum contrast of WCAG 2.2, 1.4.3. */

/** A color as `#rrggbb`. */
export type Color = `#${string}`;

export const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** The backgrounds behind text in the accent color. The sheet's color is also the color of text on the accent. */
export const SURFACES: Readonly<Record<Scheme, { readonly page: Color; readonly sheet: Color }>> = {
  light: { page: '#f7f7f6', sheet: '#ffffff' },
  dark: { page: '#121316', sheet: '#1b1d21' },
};

/** The share of the accent color in the tinted background of badges and notes. */
export const TINT = 0.08;

/** The minimum contrast of text. */
export const LEAST_CONTRAST = 4.5;

export const DEFAULT_ACCENT: Readonly<Record<Scheme, Color>> = { light: '#2b55c8', dark: '#9db7ff' };

export const isColor = (text: string): text is Color => /^#[0-9a-f]{6}$/i.test(text);

const channels = (color: Color): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** The mixture of two colors in sRGB; `share` is the share of the first. */
export const mixed = (color: Color, other: Color, share: number): Color => {
  const others = channels(other);
  const mixture = channels(color).map((value, n) => Math.round(value * share + (others[n] as number) * (1 - share)));
  return `#${mixture.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
};

const luminance = (color: Color): number => {
  const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** The contrast ratio of two colors, from 1 to 21. */
export const contrast = (one: Color, other: Color): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

/** The lowest contrast of an accent color with the backgrounds behind it. */
export const accentContrast = (accent: Color, scheme: Scheme): number => {
  const { page, sheet } = SURFACES[scheme];
  return Math.min(...[page, sheet, mixed(accent, sheet, TINT)].map((surface) => contrast(accent, surface)));
};

/** The nearest mixture with black, or with white on dark pages, that is readable as text. */
export const readableAccent = (accent: Color, scheme: Scheme): Color => {
  const end = scheme === 'light' ? '#000000' : '#ffffff';
  for (let share = 100; share > 0; share--) {
    const nearer = mixed(accent, end, share / 100);
    if (accentContrast(nearer, scheme) >= LEAST_CONTRAST) return nearer;
  }
  return end;
};

/** The message about an unreadable accent color, with a readable one; undefined if the accent color is readable. */
export const accentFault = (accent: Color, scheme: Scheme): string | undefined => {
  const found = accentContrast(accent, scheme);
  if (found >= LEAST_CONTRAST) return undefined;
  const rounded = Math.floor(found * 100) / 100;
  return `has a contrast of ${rounded}:1 with the ${scheme} pages, and text needs ${LEAST_CONTRAST}:1 (WCAG); ${readableAccent(accent, scheme)} would pass`;
};
