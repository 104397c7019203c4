/** An error in a document, at a dotted path from its root (`products.3.category_ids.0`). */
export type Fault = { readonly path: string; readonly message: string };

/** One fault for each row whose key an earlier row has. Rows with a null key are skipped. */
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

/** One fault for each id that an earlier row of the list has. */
export const repeatedIds = (section: string, rows: readonly { readonly id: number }[]): Fault[] =>
  repeats(
    rows,
    ({ id }) => id,
    (index, first, id) => ({
      path: `${section}.${index}.id`,
      message: `${id} is the id of ${section}.${first} already`,
    }),
  );

/**
 * The faults of a name that one row alone may have: among the entries of a document (`products` of a `product`), and
 * beside the stored rows that no entry replaces. Null is no name.
 */
export const sharedNames = <Field extends string>(
  what: string,
  entries: readonly ({ readonly id: number } & Readonly<Record<Field, string | null>>)[],
  field: Field,
  stored: Iterable<{ readonly id: number } & Readonly<Record<Field, string | null>>>,
): Fault[] => {
  const replaced = new Set(entries.map(({ id }) => id));
  const owners = new Map<string | null, number>();
  for (const row of stored) if (row[field] !== null && !replaced.has(row.id)) owners.set(row[field], row.id);
  const taken = (n: number, name: string | number | null, owner: string): Fault => ({
    path: `${what}s.${n}.${field}`,
    message: `"${name}" is the ${field} of ${owner} already`,
  });
  return [
    ...repeats(
      entries,
      (row) => row[field],
      (n, first, name) => taken(n, name, `${what}s.${first}`),
    ),
    ...entries.flatMap((row, n) =>
      owners.has(row[field]) ? [taken(n, row[field], `${what} ${owners.get(row[field])}`)] : [],
    ),
  ];
};

/** One fault where the id is unknown; null is no reference and no fault. */
export const dangling = (
  path: string,
  what: string,
  id: number | null,
  known: { has(id: number): boolean },
): Fault[] => (id === null || known.has(id) ? [] : [{ path, message: `there is no ${what} ${id}` }]);

/** One fault for each unknown id of a list, and for each id that is named twice. */
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
