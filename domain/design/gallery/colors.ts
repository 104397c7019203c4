/** The color families, by key, in the order in which ties are listed. */
export const COLOR_FAMILIES = [
  'black',
  'gray',
  'white',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
  'brown',
] as const;

export type ColorFamily = (typeof COLOR_FAMILIES)[number];

/** A color counts as gray if the difference between its strongest and weakest component (of 255) is below this. */
const GRAY_BELOW = 20;
const BLACK_BELOW = 0.12;
const WHITE_FROM = 0.93;

/** The families by the last hue of each, in degrees. */
const HUES: readonly (readonly [number, ColorFamily])[] = [
  [15, 'red'],
  [42, 'orange'],
  [68, 'yellow'],
  [160, 'green'],
  [195, 'teal'],
  [255, 'blue'],
  [295, 'purple'],
  [345, 'pink'],
  [360, 'red'],
];

const hueOf = (r: number, g: number, b: number): number => {
  const most = Math.max(r, g, b);
  const range = most - Math.min(r, g, b);
  if (most === r) return (60 * ((g - b) / range) + 360) % 360;
  return most === g ? 60 * ((b - r) / range) + 120 : 60 * ((r - g) / range) + 240;
};

/** The family of a color `#rrggbb`: by lightness if the color has hardly any hue, else by its hue. */
export const colorFamilyOf = (hex: string): ColorFamily => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const lightness = (most + least) / 510;
  if (lightness < BLACK_BELOW) return 'black';
  if (lightness > WHITE_FROM) return 'white';
  if (most - least < GRAY_BELOW) return 'gray';
  const hue = hueOf(r, g, b);
  if (hue > 10 && hue <= 42 && lightness < 0.38) return 'brown';
  return HUES.find(([last]) => hue <= last)?.[1] ?? 'red';
};
