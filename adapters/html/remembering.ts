/** The most characters to keep, texts and results together. */
const ROOM = 8_000_000;

/** Returns a function that keeps the latest results of `transform`. */
export const remembering = (transform: (text: string) => string): ((text: string) => string) => {
  const known = new Map<string, string>();
  let taken = 0;
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    const result = transform(text);
    known.set(text, result);
    taken += text.length + result.length;
    for (const [oldest, its] of known) {
      if (taken <= ROOM) break;
      known.delete(oldest);
      taken -= oldest.length + its.length;
    }
    return result;
  };
};
