import { plainName } from '../../shared/plain-text.ts';

const LONGEST_TITLE = 200;

/** The maximum number of characters to read of a line. */
const LONGEST_LINE = 1000;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ATX = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** A line that starts another kind of block, so the next line can't make it a heading. */
const NO_PARAGRAPH = /^(?:\s*$| {4}|\t| {0,3}(?:[>*+-]|\d{1,9}[.)])(?:\s|$))/;

const withoutClosing = (heading: string): string => heading.replace(/(?:^|[ \t]+)#+[ \t]*$/, '');

const titleIn = (heading: string): string | null => plainName(withoutClosing(heading), LONGEST_TITLE);

/**
 * The first heading of a Markdown text that has a visible character, on one line; null if there is none. Headings are
 * those of CommonMark (sections 4.2 and 4.3), of one line. Lines in fenced code don't count.
 */
export const markdownTitle = (body: string): string | null => {
  let fence: string | null = null;
  let before = '';
  for (const whole of body.split(/\r\n|\r|\n/)) {
    const line = whole.slice(0, LONGEST_LINE);
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      before = '';
    } else if (mark !== undefined) {
      fence = mark;
      before = '';
    } else {
      const atx = ATX.exec(line);
      const isUnderlined = UNDERLINE.test(line) && !NO_PARAGRAPH.test(before);
      const title = atx ? titleIn(atx[1] ?? '') : isUnderlined ? plainName(before, LONGEST_TITLE) : null;
      if (title !== null) return title;
      before = atx ? '' : line;
    }
  }
  return null;
};
