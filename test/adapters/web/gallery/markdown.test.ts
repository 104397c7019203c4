import { expect, test, vi } from 'vitest';
import { markdownHtml, RenderedDocuments } from '../../../../adapters/web/gallery/markdown.ts';
import { Turns } from '../../../../adapters/web/gallery/turns.ts';

const options = { title: 'Title', image: (alt: string) => `Image: ${alt}`, asWritten: 'As written.' };

const rendered = (text: string): string => String(markdownHtml(text, options));

test('HTML in a document is shown as text', () => {
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
])('%s is no link', (text) => {
  expect(rendered(text)).not.toContain('href');
});

test('a link to the web tells the other site nothing', () => {
  expect(rendered('[x](https://example.com/)')).toContain(
    '<a href="https://example.com/" rel="noopener noreferrer nofollow">x</a>',
  );
});

test('an image is a link, so that a page loads nothing from elsewhere', () => {
  const html = rendered('![a "picture"](https://evil.example/p.png)');
  expect(html).not.toContain('<img');
  expect(html).toContain('href="https://evil.example/p.png"');
  expect(html).toContain('Image: a &quot;picture&quot;');
});

test('a first heading that repeats the title of the page is left out, and the others go down one level', () => {
  expect(rendered('# Title\n\ntext')).toBe('<p>text</p>\n');
  expect(rendered('# Other\n\n## Two')).toBe('<h2>Other</h2>\n<h3>Two</h3>\n');
});

test.each([
  ['quotes of 41 levels', `${'> '.repeat(41)}<b>`],
  ['as many quotes as its size allows', '>'.repeat(262_144)],
  ['lines that belong to a quote of 100 levels', `${'> '.repeat(100)}a\n${'a\n'.repeat(131_000)}`],
])('a document with %s is shown as it was written', (_, text) => {
  const source = text.replaceAll('>', '&gt;').replaceAll('<', '&lt;');
  expect(rendered(text)).toBe(`<p class="note">As written.</p><pre>${source}</pre>`);
});

test('a document that takes too long is shown as it was written', () => {
  const clock = vi.spyOn(performance, 'now');
  for (const ms of [0, 100, 299]) clock.mockReturnValueOnce(ms);
  clock.mockReturnValue(301);
  expect(rendered('a\n\nb')).toContain('<pre>a\n\nb</pre>');
  clock.mockRestore();
});

test('lists of 15 levels are rendered', () => {
  const list = Array.from({ length: 15 }, (_, level) => `${'  '.repeat(level)}- item`).join('\n');
  expect(rendered(list).match(/<li>/g)).toHaveLength(15);
});

test('a document is rendered once for all of its readers', async () => {
  const turns = new Turns();
  const taken = vi.spyOn(turns, 'take');
  const documents = new RenderedDocuments(turns);
  const text = { body: '**text**', sha256: 'a'.repeat(64) };
  for (let reader = 0; reader < 3; reader++) {
    expect(String(await documents.html(text, options))).toBe('<p><strong>text</strong></p>\n');
  }
  expect(taken).toHaveBeenCalledTimes(1);
});
