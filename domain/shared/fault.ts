import { countOf } from './count-of.ts';
import { type Refused, refuse } from './outcome.ts';

/** An error in a document, at a dotted path from its root (`products.3.category_ids.0`). */
export type Fault = { readonly path: string; readonly message: string };

/** A rule for a record: whether the record violates it, the wrong field (a dotted path), and why. */
export type Rule = readonly [isBroken: unknown, member: string, why: string];

/** The fault of each broken rule of the record at a path. */
export const faultsAt = (path: string, rules: readonly Rule[]): Fault[] =>
  rules.flatMap(([isBroken, member, message]) =>
    isBroken ? [{ path: [path, member].filter((part) => part !== '').join('.'), message }] : [],
  );

/** One fault for each row that repeats the key of an earlier row. */
export const repeats = <T>(
  rows: readonly T[],
  keyOf: (row: T) => string | number,
  fault: (index: number, first: number) => Fault,
): Fault[] => {
  const firsts = new Map<string | number, number>();
  return rows.flatMap((row, index) => {
    const first = firsts.get(keyOf(row));
    if (first !== undefined) return [fault(index, first)];
    firsts.set(keyOf(row), index);
    return [];
  });
};

/** A fault if the id is unknown; null is no reference and no fault. */
export const dangling = (
  path: string,
  what: string,
  id: number | null,
  known: { has(id: number): boolean },
): Fault[] => (id === null || known.has(id) ? [] : [{ path, message: `there is no ${what} ${id}` }]);

/** Error sentences by dotted field, such as `meta.step`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Refuses input with these errors. The message is the first error, and the number of further ones. */
export const invalid = (errors: FieldErrors): Refused<'validation_failed'> => {
  const [first = 'The given data was invalid.', ...more] = Object.values(errors).flat();
  const others = more.length === 0 ? '' : ` (and ${countOf(more.length, 'more error')})`;
  return refuse('validation_failed', { message: `${first}${others}`, data: { errors } });
};
