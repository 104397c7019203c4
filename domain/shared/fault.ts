/** Something wrong with a document, at a dotted path from its root (`products.3.category_ids.0`). */
export type Fault = { readonly path: string; readonly message: string };

/** A fault for every row whose key an earlier row has. Rows without a key never meet. */
export const repeats = <T>(
  rows: readonly T[],
  keyOf: (row: T) => string | number | null,
  fault: (index: number, first: number, key: string | number) => Fault,
): Fault[] => {
  const firsts = new Map<string | number, number>();
  return rows.flatMap((row, index) => {
    const key = keyOf(row);
    if (key === null) return [];
    const first = firsts.get(key);
    if (first !== undefined) return [fault(index, first, key)];
    firsts.set(key, index);
    return [];
  });
};

/** A fault for every id that an earlier row of the list has. */
export const repeatedIds = (section: string, rows: readonly { readonly id: number }[]): Fault[] =>
  repeats(
    rows,
    ({ id }) => id,
    (index, first, id) => ({
      path: `${section}.${index}.id`,
      message: `${id} is the id of ${section}.${first} already`,
    }),
  );

/** A fault for an id that leads nowhere; null leads nowhere on purpose. */
export const dangling = (
  path: string,
  what: string,
  id: number | null,
  known: { has(id: number): boolean },
): Fault[] => (id === null || known.has(id) ? [] : [{ path, message: `there is no ${what} ${id}` }]);

/** Likewise for a list, in which no id may come twice. */
export const danglingAmong = (
  path: string,
  what: string,
  ids: readonly number[],
  known: { has(id: number): boolean },
): Fault[] => [
  ...ids.flatMap((id, n) => dangling(`${path}.${n}`, what, id, known)),
  ...repeats(
    ids,
    (id) => id,
    (n, _first, id) => ({ path: `${path}.${n}`, message: `${what} ${id} is named twice` }),
  ),
];
