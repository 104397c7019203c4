/** The host names of the local machine, as in the hostname of a URL. */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
