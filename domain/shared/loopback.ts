/** The names by which a machine reaches itself, as the hostname of a URL has them. */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
