import { expect, test, vi } from 'vitest';
import { markdownHtml, RenderedDocuments } from '../../../../adapters/web/shared/markdown.ts';
import { Turns } from '../../../../adapters/web/shared/turns.ts';

const options = {
  title: 'Title',
  image: (alt: string) => `Image: ${alt}`,
  table: 'A "table"',
  asWritten: 'As written.',
};

const rendered = (text: string): string => String(markdownHtml(text, options));

test('HTML in a document is escaped', () => {
  expect(rendered('<script>alert(1)</script>\n\na <b onclick=x>b</b>')).not.toMatch(/<script|<b /);
});

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,x)',
  '[x](vbscript:x)',
  '[x](file:///etc/passwd)',
  '[x](//evil.example/x)',
  '[x](/screens/1)',
  '<javascript:alert(1)>',
  '![x](data:image/svg+xml,x)',
  '[x](javascript&#58document;alert(1))',
  '[x](javascript&#x3A;alert(1))',
  '[x](&#1;javascript:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x]: javascript:alert(1)\n\n[x]',
  '<x![](`<a\n>`)><svg onload=alert(1)![](`<a\n>`)',
])('the address %s is not a link', (text) => {
  expect(rendered(text)).not.toContain('href');
});

test.each([
  '<img src=x onerror=alert(1)>',
  '<!-- <script>alert(1)</script> -->',
  '<form action=https://evil.example><button>',
  '<iframe srcdoc="<script>">',
  '[x](https://e.example/"onmouseover="alert(1))',
  '![" onerror="alert(1)](https://e.example/)',
  '[x](https://e.example ""><img src=x onerror=alert(1)>")',
])('the text %s makes no element of its own', (text) => {
  const tags = [...rendered(text).matchAll(/<(\w+)((?: [^\s=]+="[^"]*")*)>/g)];
  expect(rendered(text).match(/<\w/g)).toHaveLength(tags.length);
  for (const [, tag, attributes] of tags) {
    expect(tag).toMatch(/^(p|a)$/);
    expect(attributes).not.toMatch(/ (on\w+|src|style)=/);
  }
});

test('a link to the web reveals nothing to the other site', () => {
  expect(rendered('[x](https://example.com/)')).toContain(
    '<a href="https://example.com/" rel="noopener noreferrer nofollow">x</a>',
  );
});

test('an image becomes a link, so a page loads nothing from elsewhere', () => {
  const html = rendered('![a "picture"](https://evil.example/p.png)');
  expect(html).not.toContain('<img');
  expect(html).toContain('href="https://evil.example/p.png"');
  expect(html).toContain('Image: a &quot;picture&quot;');
});

test('a first heading that repeats the page title is left out, and the others move down one level', () => {
  expect(rendered('# Title\n\ntext')).toBe('<p>text</p>\n');
  expect(rendered('# Other\n\n## Two')).toBe('<h2>Other</h2>\n<h3>Two</h3>\n');
});

test.each([
  ['### a\n### b\n# c', 'h2 h2 h2'],
  ['# a\n#### b\n#### c\n## d', 'h2 h3 h3 h3'],
  ['# a\n## b\n### c\n#### d\n##### e\n###### f', 'h2 h3 h4 h5 h6 h6'],
])('the headings of %j skip no level', (text, levels) => {
  const [opened, closed] = [/<(h\d)>/g, /<\/(h\d)>/g].map((tag) => [...rendered(text).matchAll(tag)].map(([, h]) => h));
  expect([opened?.join(' '), closed]).toEqual([levels, opened]);
});

test('a table and code can be scrolled by keyboard, and no cell has a style, which the page’s policy forbids', () => {
  const html = rendered('a|b\n-|-:\n1|2\n\n```js"onload=x\n<b>\n```\n\n    code\n');
  expect(html).toContain('<div class="table" role="region" aria-label="A &quot;table&quot;" tabindex="0"><table>');
  expect(html).toContain('<th class="right">b</th>');
  expect(html).toContain('<td class="right">2</td>');
  expect(html).toContain(
    '<pre tabindex="0"><code>&lt;b&gt;\n</code></pre>\n<pre tabindex="0"><code>code\n</code></pre>',
  );
  expect(html).not.toMatch(/style=|onload/);
});

const ALLOWED = 262_144;
const filled = (part: string, start = ''): string => start + part.repeat(ALLOWED / part.length);

test.each([
  ['quotes of 41 levels', `${'> '.repeat(41)}<b>`],
  ['10,000 quotes', '>'.repeat(10_000)],
  ['lists of 41 levels', `${'- '.repeat(41)}a`],
  ['lines that belong to a quote of 40 levels', filled('a\n', `${'> '.repeat(39)}a\n`)],
  ['as many brackets as its size allows', filled('[')],
  ['as many images', filled('![')],
  ['as many links in links', filled('[[a](b)')],
  ['as many stars', filled('**a')],
  ['as many definitions', filled('[a]: b\n')],
  ['as many comments', filled('<!--')],
  ['as many items', filled('- a\n')],
  ['as many headings', filled('a\n=\n')],
  ['as many rows of a table', filled('a|b\n', 'a|b\n-|-\n')],
  ['rows of a table with 2,000 columns', filled('a\n', `${'a|'.repeat(2000)}\n${'-|'.repeat(2000)}\n`)],
])('a document with %s is shown unrendered, on any machine', (_, text) => {
  const source = text.replaceAll('>', '&gt;').replaceAll('<', '&lt;');
  expect(rendered(text) === `<p class="note">As written.</p><pre>${source}</pre>`).toBe(true);
});

test.each([
  ['10,000 brackets', '['.repeat(10_000)],
  ['as many marks of code as its size allows', filled('`a``b')],
  ['one word between as many stars', `${filled('*')}a`],
  ['a table as wide', `${'a|'.repeat(ALLOWED / 4)}\n${'-|'.repeat(ALLOWED / 4)}`],
])('a document with %s is rendered in at most eight times its size', (_, text) => {
  expect(rendered(text).includes('As written.')).toBe(false);
  expect(rendered(text).length).toBeLessThan(8 * text.length);
});

test('lists of 15 levels are rendered', () => {
  const list = Array.from({ length: 15 }, (_, level) => `${'  '.repeat(level)}- item`).join('\n');
  expect(rendered(list).match(/<li>/g)).toHaveLength(15);
});

test('a document is rendered once for all its readers', async () => {
  const turns = new Turns();
  const taken = vi.spyOn(turns, 'take');
  const documents = new RenderedDocuments(turns);
  const text = { body: '**text**', sha256: 'a'.repeat(64) };
  for (let reader = 0; reader < 3; reader++) {
    expect(String(await documents.html(text, options))).toBe('<p><strong>text</strong></p>\n');
  }
  expect(taken).toHaveBeenCalledTimes(1);
});
