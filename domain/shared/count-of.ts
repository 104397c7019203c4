/** A number and its noun: `1 fault`, `2 faults`, `0 faults`. */
export const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
