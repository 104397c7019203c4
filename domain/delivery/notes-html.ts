const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

const ITEM = /^[-*] +/;

/** One paragraph, or one list where every line is an item. */
const block = (lines: readonly string[]): string =>
  lines.every((line) => ITEM.test(line))
    ? `<ul>${lines.map((line) => `<li>${escaped(line.replace(ITEM, ''))}</li>`).join('')}</ul>`
    : `<p>${lines.map(escaped).join('<br>')}</p>`;

/**
 * Release notes as HTML that every version of Sparkle shows the same way. Lines that begin with `- ` or `* ` become
 * lists, other lines become paragraphs, and empty lines separate them. Markup in the notes is escaped.
 */
export const notesHtml = (notes: string): string => {
  const blocks: string[][] = [];
  let before: string | undefined;
  for (const line of notes.split(/\r\n?|\n/).map((text) => text.trim())) {
    const begins = before === undefined || before === '' || ITEM.test(before) !== ITEM.test(line);
    if (line !== '' && begins) blocks.push([line]);
    else if (line !== '') blocks.at(-1)?.push(line);
    before = line;
  }
  return blocks.map(block).join('');
};
