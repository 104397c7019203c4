/** Freezes a value that comes from JSON, with everything in it, and returns it. */
export const freeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
};
