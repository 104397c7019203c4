/** A number and its noun: `1 fault`, `2 faults`, `0 faults`. `many` is the plural of a noun that does not end in s. */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
