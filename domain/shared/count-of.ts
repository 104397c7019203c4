/** Counts in a language: a number and its noun, whose form CLDR chooses. The plural is for a language with two forms. */
export const counter = (language: string) => {
  const rules = new Intl.PluralRules(language);
  return (count: number, one: string, many: string): string => `${count} ${rules.select(count) === 'one' ? one : many}`;
};

const ENGLISH = new Intl.PluralRules('en');

/** The English form of a noun after a number, by the rules of CLDR. `many` is a plural that does not end in s. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  ENGLISH.select(count) === 'one' ? one : many;

/** A number and its noun: `1 fault`, `2 faults`, `0 faults`. */
export const countOf = (count: number, one: string, many?: string): string => `${count} ${plural(count, one, many)}`;
