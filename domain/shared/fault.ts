/** An error in a document, at a dotted path from its root (`products.3.category_ids.0`). */
export type Fault = { readonly path: string; readonly message: string };

/** One fault for each row whose key an earlier row has. */
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

/** One fault where the id is unknown; null is no reference and no fault. */
export const dangling = (
  path: string,
  what: string,
  id: number | null,
  known: { has(id: number): boolean },
): Fault[] => (id === null || known.has(id) ? [] : [{ path, message: `there is no ${what} ${id}` }]);
