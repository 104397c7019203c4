/** The end of a promise: its value, or the fault that rejected it. */
export type Settled<T> = { readonly value: T } | { readonly fault: unknown };

/** Resolves with the end of a promise. It never rejects, so it can wait unobserved until its end is needed. */
export const settled = <T>(promise: Promise<T>): Promise<Settled<T>> =>
  promise.then(
    (value) => ({ value }),
    (fault: unknown) => ({ fault }),
  );

/** The value of a settled promise. Throws the fault that rejected the promise. */
export const valueIn = <T>(end: Settled<T>): T => {
  if ('fault' in end) throw end.fault;
  return end.value;
};
