/** The standard output of the last command that contains the part. */
export type Said = (part: string) => string;

/** Files, values and earlier steps that a reader brings to a document. Each key is a part of a command. */
export type Plan = {
  /** The store before the first command: the sample store, or nothing. */
  readonly store?: 'sample' | 'none';
  /** Files in the folder of the sources, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** Commands that run before the one with the key. `Ctrl+C` ends the server. */
  readonly before?: Readonly<Record<string, readonly string[]>>;
  /** Texts that a reader writes instead of others. */
  readonly values?: Readonly<Record<string, string | ((said: Said) => string)>>;
  /** Exit codes of commands that the document says are refused. All others exit 0. */
  readonly refused?: Readonly<Record<string, number>>;
  /** Standard output that a command must have. */
  readonly prints?: Readonly<Record<string, RegExp>>;
};
