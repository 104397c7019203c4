import { expect, test } from 'vitest';
import { markdownHtml } from '../../../../adapters/web/gallery/markdown.ts';

const rendered = (text: string, title = 'Title'): string =>
  String(markdownHtml(text, { title, image: (alt) => `Image: ${alt}` }));

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

test('a document that nests as deeply as its size allows is rendered', () => {
  expect(rendered('>'.repeat(200_000)).length).toBeGreaterThan(0);
  expect(rendered('['.repeat(100_000)).length).toBeGreaterThan(0);
});
