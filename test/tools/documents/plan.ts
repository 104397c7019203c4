/** The standard output of the last command that contains the part. */
export type Said = (part: string) => string;

/** Files, values and earlier steps that a reader adds to a document. Each key is a part of a command. */
export type Plan = {
  /** The store before the first command: the sample store, or nothing. */
  readonly store?: 'sample' | 'none';
  /** Files in the folder of the sources, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Commands that run before the one with the key. `Ctrl+C` ends the server. */
  readonly before?: Readonly<Record<string, readonly string[]>>;
  /** Texts that a reader substitutes. */
  readonly values?: Readonly<Record<string, string | ((said: Said) => string)>>;
  /** Exit codes of commands that the document describes as refused. All others exit with 0. */
  readonly refused?: Readonly<Record<string, number>>;
  /** Standard output that a command must have. */
  readonly prints?: Readonly<Record<string, RegExp>>;
};
