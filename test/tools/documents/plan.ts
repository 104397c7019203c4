/** The standard output of the last command that has the part in it. */
export type Said = (part: string) => string;

/**
 * The things that a reader brings along to a document: files, the values of placeholders, and what was done before. The
 * commands themselves come from the document.
 */
export type Plan = {
  /** The store before the first command: the sample store, or nothing. */
  readonly store?: 'sample' | 'none';
  /** Files beside the sources, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * Commands that run before the one that has the key in it: what the document tells in words, or takes as given.
   * `Ctrl+C` ends the server.
   */
  readonly before?: Readonly<Record<string, readonly string[]>>;
  /** The texts that a reader writes in place of others in the commands. Each text has to be in a command that runs. */
  readonly values?: Readonly<Record<string, string | ((said: Said) => string)>>;
  /** The exit codes of commands that the document says are refused; all others exit 0. */
  readonly refused?: Readonly<Record<string, number>>;
  /** Standard output that a command has to have, by a part of the command: what the document promises of it. */
  readonly prints?: Readonly<Record<string, RegExp>>;
};
