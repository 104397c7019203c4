/** A value that was made to fit, and the paths of the lists and texts that lost a part. */
export type Shortened = { readonly value: unknown; readonly cuts: readonly string[] };

type Caps = { readonly items: number; readonly characters: number };

/** Texts longer than this are cut before a list loses an entry, and shorter ones only after that. */
const LONG_TEXT = 10_000;
const SHORT_TEXT = 1000;

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const cut = (value: unknown, caps: Caps, path: string, cuts: string[]): unknown => {
  if (typeof value === 'string') {
    if (value.length <= caps.characters) return value;
    cuts.push(`${path}: the first ${caps.characters} of ${value.length} characters`);
    return value.slice(0, caps.characters).toWellFormed();
  }
  if (Array.isArray(value)) {
    if (value.length > caps.items) cuts.push(`${path}: ${caps.items} of ${value.length} entries`);
    return value.slice(0, caps.items).map((one, i) => cut(one, caps, `${path}[${i}]`, cuts));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      cut(inner, caps, path === '' ? name : `${path}.${name}`, cuts),
    ]),
  );
};

const longestList = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce<number>((most, one) => Math.max(most, longestList(one)), 0);
  return Array.isArray(value) ? Math.max(value.length, inner) : inner;
};

/** The most entries of a list with which the value fits; undefined if it fits with no number of them. */
const mostItems = (value: unknown, limit: number, characters: number): number | undefined => {
  const fitsWith = (items: number): boolean => sizeOf(cut(value, { items, characters }, '', [])) <= limit;
  let [fits, fails] = [0, longestList(value) + 1];
  if (fitsWith(fails - 1)) return fails - 1;
  while (fails - fits > 1) {
    const items = (fits + fails) >> 1;
    if (fitsWith(items)) fits = items;
    else fails = items;
  }
  return fits > 0 ? fits : undefined;
};

/**
 * The JSON value with at most `limit` characters of JSON. Every object keeps all its fields; lists keep their first
 * entries and texts their beginning, so that a schema without minimum sizes still holds. Undefined for a value that
 * fits as it is. `size` is the length of its JSON.
 */
export const shorten = (value: unknown, limit: number, size: number = sizeOf(value)): Shortened | undefined => {
  if (size <= limit) return undefined;
  const choices = [LONG_TEXT, SHORT_TEXT].map((characters) => ({
    characters,
    items: mostItems(value, limit, characters),
  }));
  const { characters, items } = choices.find((choice) => choice.items !== undefined) ?? { characters: SHORT_TEXT };
  const cuts: string[] = [];
  return { value: cut(value, { items: items ?? 0, characters }, '', cuts), cuts };
};
