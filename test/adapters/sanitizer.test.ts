import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitize as clean } from '../../adapters/html/sanitizer.ts';

describe('HTML that sanitizing keeps', () => {
  test.each([
    '<h1>A</h1><h2>B</h2><p>one<br />two <strong>three</strong> <em>four</em></p><hr />',
    '<ul><li>one</li></ul><ol><li>two</li></ol><dl><dt>a</dt><dd>b</dd></dl>',
    '<table><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td colspan="2" rowspan="3">1</td></tr></tbody></table>',
    '<pre><code>if (a &lt; b &amp;&amp; c &gt; d) {}</code></pre><blockquote>said</blockquote>',
    '<figure><img src="/api/x/shot.png" alt="A shot" width="640" height="480" loading="lazy" /><figcaption>1</figcaption></figure>',
    '<img src="images/a.webp" alt="" /><img src="https://cdn.example/a.png" />',
    '<div class="note wide-2"><span class="x">한글 “quotes” – 😀</span></div>',
  ])('sanitizing keeps formatting, lists, tables, images and code: %s', (html) => expect(clean(html)).toBe(html));

  test.each([
    'https://example.com/a?b=1&amp;c=2#d',
    'http://example.com',
    'mailto:a@example.com',
    'HTTPS://EXAMPLE.COM',
  ])('sanitizing keeps a link to %s and isolates the page that it opens', (href) => {
    expect(clean(`<a href="${href}">x</a>`)).toBe(`<a href="${href}" rel="noopener nofollow" target="_blank">x</a>`);
    expect(clean(`<a href="${href}" target="_top" rel="opener" download ping="https://evil.example">x</a>`)).toMatch(
      /^<a href="[^"]+" (target="_blank" rel="noopener nofollow"|rel="noopener nofollow" target="_blank")>x<\/a>$/,
    );
  });

  test('sanitizing keeps the text of a forbidden element', () => {
    expect(clean('<marquee><center>hello <font color="red">world</font></center></marquee>')).toBe('hello world');
  });
});

/**
 * Attack vectors from the OWASP and PortSwigger cheat sheets and from published mutation attacks, each with its
 * sanitized result.
 */
const VECTORS: [string, string][] = [
  ['<script>alert(1)</script>', ''],
  ['<ScRiPt src=//evil.example></sCrIpT>', ''],
  ['<script>alert(1)', ''],
  ['<<script>alert(1);//<</script>', '&lt;'],
  ['<scr<script>ipt>alert(1)</scr</script>ipt>', 'ipt&gt;alert(1)ipt&gt;'],
  ['<img src=x onerror=alert(1)>', '<img src="x" />'],
  ['<img/src="x"/onerror=alert(1)>', '<img src="x" />'],
  ['<img src="x` `<script>alert(1)</script>"` `>', '<img src="x` `&lt;script&gt;alert(1)&lt;/script&gt;" />'],
  ['<p onclick="alert(1)" style="background:url(javascript:alert(1))" id="x">a</p>', '<p>a</p>'],
  ['<a href="javascript:alert(1)">a</a>', '<span>a</span>'],
  ['<a href="JaVaScRiPt:alert(1)">a</a>', '<span>a</span>'],
  ['<a href=" \u0001javascript:alert(1)">a</a>', '<span>a</span>'],
  ['<a href="java\nscript:alert(1)">a</a>', '<span>a</span>'],
  ['<a href="java&#x09;script:alert(1)">a</a>', '<span>a</span>'],
  ['<a href="&#106;avascript&colon;alert(1)">a</a>', '<span>a</span>'],
  ['<a href="vbscript:msgbox(1)">a</a>', '<span>a</span>'],
  ['<a href="data:text/html,<script>alert(1)</script>">a</a>', '<span>a</span>'],
  ['<a href="https:javascript:alert(1)">a</a>', '<span>a</span>'],
  ['<a href="//evil.example">a</a>', '<span>a</span>'],
  ['<a href="/\\evil.example">a</a>', '<span>a</span>'],
  ['<a href="file:///etc/passwd">a</a>', '<span>a</span>'],
  ['<img src="data:image/svg+xml;base64,PHN2Zz4=">', ''],
  ['<img src="javascript:alert(1)">', ''],
  ['<img src="//tracker.example/a.png">', ''],
  ['<img srcset="https://evil.example/a.png 1x">', ''],
  ['<svg onload=alert(1)><circle r=1 /></svg>', ''],
  ['<svg><script>alert(1)</script></svg>', ''],
  ['<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>', ''],
  ['<math><mi xlink:href="javascript:alert(1)">x</mi></math>', ''],
  ['<iframe src="javascript:alert(1)"></iframe>', ''],
  ['<iframe srcdoc="<script>alert(1)</script>">x</iframe>', ''],
  ['<object data="javascript:alert(1)">x</object><embed src="https://evil.example">', ''],
  ['<style>@import "https://evil.example";</style>', ''],
  ['<link rel=stylesheet href="https://evil.example/a.css">', ''],
  ['<meta http-equiv="refresh" content="0;url=javascript:alert(1)">', ''],
  ['<base href="https://evil.example/">', ''],
  ['<form action="https://evil.example"><input name=a><button>go</button></form>', ''],
  ['<textarea autofocus onfocus=alert(1)>a</textarea>', ''],
  ['<details open ontoggle=alert(1)>a</details>', 'a'],
  ['<video><source onerror="alert(1)"></video>', ''],
  ['<body onload=alert(1)>a</body>', 'a'],
  ['<div class="A_b x">a</div>', '<div class="x">a</div>'],
  ['<div data-x="1" aria-label="y" is="z" slot="s">a</div>', '<div>a</div>'],
  ['<template><img src=x onerror=alert(1)></template>', ''],
  ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>', ''],
  ['<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>', '<img src="x" />"&gt;'],
  ['<noembed><img title="</noembed><img src=x onerror=alert(1)>"></noembed>', ''],
  ['<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">', ''],
  ['<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>', ''],
  ['<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">', ''],
  ['<!--><img src=x onerror=alert(1)>-->', '<img src="x" />--&gt;'],
  ['<!--[if gte IE 4]><script>alert(1)</script><![endif]-->a', 'a'],
  ['<![CDATA[<script>alert(1)</script>]]>', ''],
  ['<?xml version="1.0"?><?php echo 1 ?>a', 'a'],
  ['&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['<option>&lt;script&gt;alert(1)&lt;/script&gt;</option>', ''],
];

describe('HTML that sanitizing removes', () => {
  test.each(VECTORS)('sanitizing removes everything that can run, load or submit: %j', (html, left) =>
    expect(clean(html)).toBe(left));

  test('sanitizing cuts nesting that would overload a browser', () => {
    expect(clean('<div>'.repeat(5000)).match(/<div>/g)).toHaveLength(50);
  });
});

describe('the cache of sanitized HTML', () => {
  test('the cache returns sanitized HTML, even for more pages than it holds', () => {
    const page = (n: number) => `<p>${n} ${'x'.repeat(1_000_000)}</p>`;
    for (const n of [0, 1, 2, 3, 4, 5, 0, 5]) expect(clean(`${page(n)}<script>x</script>`)).toBe(page(n));
  });
});

describe('sanitizing of any input', () => {
  const fragment = fc.oneof(
    fc.constantFrom(...VECTORS.map(([html]) => html)),
    fc.constantFrom(
      '<p>',
      '</p>',
      '<a href="https://a.b">',
      '</a>',
      '<table><tr><td>',
      '</table>',
      '<img src="a">',
      '<b',
    ),
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '&amp;lt;',
      '&#60;',
      '<!--',
      '-->',
      '<div class="x',
      '</',
      '\0',
      '<li>',
      '<h1>',
    ),
    fc.string({ maxLength: 5 }),
  );
  const html = fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join(''));
  const OPEN =
    /<(?!\/?(?:h[1-6]|p|blockquote|pre|figure|figcaption|hr|br|div|span|[uod]l|li|d[td]|table|caption|thead|tbody|tfoot|t[rhd]|a|img|strong|em|[bius]|code|kbd|su[bp])[ >])/;

  test('sanitizing a second time changes nothing', () => {
    fc.assert(
      fc.property(html, (dirty) => {
        expect(clean(clean(dirty))).toBe(clean(dirty));
      }),
      { numRuns: 1000, examples: [['<table><tr><td><b<table><tr><td>']] },
    );
  });

  test('sanitized HTML contains only allowed tags and attributes', () => {
    fc.assert(
      fc.property(html, (dirty) => {
        const out = clean(dirty);
        expect(out).not.toMatch(OPEN);
        const attributes = [...out.matchAll(/<[a-z0-9]+((?: [^<>]*)?)>/g)].flatMap(([, inside = '']) =>
          [...inside.matchAll(/ ([a-z-]+)(?:="[^"]*")?/g)].map(([, name]) => name),
        );
        const known = [
          'href',
          'rel',
          'target',
          'src',
          'alt',
          'width',
          'height',
          'loading',
          'class',
          'colspan',
          'rowspan',
          'scope',
        ];
        expect(known).toEqual(expect.arrayContaining(attributes));
      }),
      { numRuns: 1000 },
    );
  });
});
