import { diffArrays, diffWordsWithSpace } from 'diff';

/** A piece of a line; `changed` marks words that the other side lacks. */
export type Piece = { readonly text: string; readonly changed: boolean };

/** A line of a comparison, with its number on its side. */
export type DiffLine = {
  readonly kind: 'same' | 'removed' | 'added';
  readonly from: number | null;
  readonly to: number | null;
  readonly pieces: readonly Piece[];
};

export type Difference = {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
  /** True if the texts had too little in common, so that each is shown whole. */
  readonly whole: boolean;
};

/** The limits of a comparison in edits and milliseconds; texts that differ by more are not compared. */
const MOST = { maxEditLength: 4000, timeout: 300 };

/** The maximum length of a line whose words are compared, and the limits for a pair of lines. */
const LONGEST = 2000;
const MOST_IN_LINE = { maxEditLength: 400, timeout: 20 };

/** Milliseconds for the words of all pairs. Later pairs get no word marks. */
const MOST_FOR_WORDS = 300;

const linesOf = (text: string): string[] => text.replace(/\r?\n$/, '').split(/\r?\n/);

const plain = (text: string): Piece[] => [{ text, changed: false }];

/** A removed line and the added line that replaces it, with the differing words marked. */
const pair = (before: string, after: string): readonly [Piece[], Piece[]] => {
  if (before.length > LONGEST || after.length > LONGEST) return [plain(before), plain(after)];
  const parts = diffWordsWithSpace(before, after, MOST_IN_LINE);
  if (!parts?.some(({ added, removed, value }) => !added && !removed && value.trim() !== '')) {
    return [plain(before), plain(after)];
  }
  const side = (other: 'added' | 'removed'): Piece[] =>
    parts
      .filter((part) => !part[other])
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
  return [side('added'), side('removed')];
};

/** The lines of two texts, with the differing words of changed lines marked. It takes a bounded time. */
export const differenceOf = (before: string, after: string): Difference => {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const compared = diffArrays(old, fresh, MOST);
  const parts = compared ?? [
    { value: old, removed: true, added: false },
    { value: fresh, removed: false, added: true },
  ];
  const lines: DiffLine[] = [];
  const until = performance.now() + MOST_FOR_WORDS;
  let [from, to, removed, added] = [1, 1, 0, 0];
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    const last = parts[index - 1];
    // A removal comes before the addition that replaces it.
    const partner =
      compared && part.removed && next?.added ? next : compared && part.added && last?.removed ? last : null;
    for (const [n, line] of part.value.entries()) {
      const other = partner?.value[n];
      const isPaired = other !== undefined && performance.now() < until;
      if (part.removed) {
        const pieces = isPaired ? pair(line, other)[0] : plain(line);
        lines.push({ kind: 'removed', from: from++, to: null, pieces });
        removed += 1;
      } else if (part.added) {
        const pieces = isPaired ? pair(other, line)[1] : plain(line);
        lines.push({ kind: 'added', from: null, to: to++, pieces });
        added += 1;
      } else {
        lines.push({ kind: 'same', from: from++, to: to++, pieces: plain(line) });
      }
    }
  }
  return { lines, added, removed, whole: compared === undefined };
};
