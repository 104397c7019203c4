/** The bar of a ratio, and the side of it on which the ratio must stay. */
export type Bar = { readonly bar: number; readonly better: 'lower' | 'higher' };

export const atMost = (bar: number): Bar => ({ bar, better: 'lower' });
export const atLeast = (bar: number): Bar => ({ bar, better: 'higher' });

/** Rows of a table; the first cell of each row is its name. */
export type Table = {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** A drawing of the table in characters. */
  readonly chart?: string;
};

/** The values that a part has measured, under the names that it declares. */
export type Measured<R extends string = string, F extends string = string, T extends string = string> = {
  readonly ratios: Readonly<Record<R, number>>;
  readonly figures: Readonly<Record<F, number>>;
  readonly tables?: Readonly<Record<T, Table>>;
};

/** A part of the benchmark, which can run alone. It declares its names. */
export type Part<R extends string = string, F extends string = string, T extends string = string> = {
  readonly title: string;
  readonly ratios: Readonly<Record<R, Bar>>;
  readonly figures: readonly F[];
  readonly tables?: readonly T[];
  /** Measures everything that the part declares. The folder is empty, and is removed afterwards. */
  readonly measure: (folder: string) => Promise<Measured<R, F, T>>;
};

/** Declares a part. The compiler compares the names of its values with those that it declares. */
export const part = <R extends string = never, F extends string = never, T extends string = never>(
  declared: Part<R, F, T>,
): Part<R, F, T> => declared;
