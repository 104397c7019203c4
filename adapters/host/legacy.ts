/** The headers that pass, besides all that begin with `X-` (specification, Request header). */
const PASSED = new Set(['authorization', 'content-type', 'accept', 'accept-language', 'user-agent']);

/** The headers of the message itself, which a forwarder sets anew. */
const FRAME = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** The headers, by lower-case name, that the legacy host passes on to the API host. */
export const legacyHeaders = <V>(headers: Readonly<Record<string, V>>): Record<string, V> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => PASSED.has(name) || name.startsWith('x-') || FRAME.has(name)),
  );
