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

/**
 * Resolves with the value of an outcome that is ok. After a refusal or a fault it never settles: code that awaits it
 * stays there and is collected as garbage. The outcome itself reports both.
 */
export const whenOk = <T>(outcome: Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false }>) =>
  new Promise<T>((resolve) => {
    outcome.then(
      (known) => known.ok && resolve(known.value),
      () => {},
    );
  });
