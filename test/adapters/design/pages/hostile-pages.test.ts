import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Unreadable } from '../../../../adapters/design/pages/unreadable.ts';
import { HOSTILE_PAGES, HOSTILE_STYLES, OUTSIDE } from '../../../support/hostile-pages.ts';
import { cleaned, faultsIn, read, textOf } from './reading.ts';

describe('a hostile page', () => {
  test.each(
    HOSTILE_PAGES.map(({ name, html }) => [name, html]),
  )('a hostile page is saved with nothing that runs or loads: %s', (_, html) => {
    const clean = cleaned(html);
    expect(faultsIn(clean)).toEqual([]);
    expect(clean.startsWith('<!doctype html><html')).toBe(true);
    expect(cleaned(clean)).toBe(clean);
  });

  test.each(HOSTILE_STYLES)('the style sheets of a hostile page load nothing: %j', (css) => {
    const { styles, html } = read('<link rel=stylesheet href="/a.css">', { 'https://shop.example/a.css': css });
    const [sheet] = styles;
    expect(faultsIn(`<style>${textOf(sheet?.css ?? new Uint8Array())}</style>`)).toEqual([]);
    expect(textOf(html)).toContain(`<link rel="stylesheet" href="/media/${sheet?.sha256}.css">`);
  });

  test('invalid UTF-8 becomes replacement characters', () => {
    expect(textOf(read(new Uint8Array([0x3c, 0x70, 0x3e, 0xff, 0xc3, 0x28])).html)).toContain('<p>\ufffd\ufffd(</p>');
  });

  test('a link can lead only to a place in the page itself', () => {
    const html = `<a href="#다음">a</a><a href="${OUTSIDE}/#x">b</a><a href="mailto:a@b.c">c</a>`;
    expect(cleaned(html)).toContain('<a href="#다음">a</a><a>b</a><a>c</a>');
  });
});

/** Pieces of markup on which parsers and sanitizers are known to disagree. */
const PIECES = [
  ...[
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<i a=1>',
    '</i>',
    '<a href=javascript:x>',
    '</a>',
    '<table>',
    '</table>',
    '<tr>',
    '<td>',
  ],
  ...[
    '<svg>',
    '</svg>',
    '<math>',
    '</math>',
    '<mtext>',
    '<mglyph>',
    '<annotation-xml encoding=text/html>',
    '<g>',
    '</g>',
  ],
  ...['<style>', '</style>', '<title>', '</title>', '<textarea>', '</textarea>', '<noscript>', '</noscript>', '<xmp>'],
  ...[
    '<template>',
    '</template>',
    '<select>',
    '<option>',
    '</select>',
    '<form action=//x>',
    '</form>',
    '<script>',
    '</script>',
  ],
  ...[
    '<foreignObject>',
    '<desc>',
    '<iframe srcdoc=x>',
    '</iframe>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<plaintext>',
    '<pre>\n',
  ],
  ...[
    '<img src=x onerror=y>',
    '<use href="//x#y">',
    '<image href=//x>',
    '<link rel=stylesheet href=a>',
    '<base href=//x>',
  ],
  ...[
    '" onload="x',
    "'",
    '>',
    '<',
    '&lt;script&gt;',
    '&quot;',
    '\n',
    '\0',
    'text',
    '한글',
    '\u00a0',
    '<body onload=x>',
  ],
  ...[
    '<frameset>',
    '<head>',
    '<html onx=y>',
    '</body>',
    '<p style="a:url(//x)">',
    "<p style='b:\"'>",
    '<nobr>',
    '<button>',
  ],
  ...[
    '<meta http-equiv=refresh content=0>',
    '<dialog open>',
    '<x-y onx=1>',
    '<ruby><rt>',
    '<li>',
    '<dd>',
    '<hr>',
    '<h1>',
  ],
];

const markup = fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ maxLength: 4 })), {
  maxLength: 40,
});

const tokens = fc.constantFrom(
  ...[
    'url(',
    '\\75rl(',
    'u\\72 l(',
    '"',
    "'",
    ')',
    '(',
    '{',
    '}',
    ';',
    ':',
    '@import ',
    '@\\69mport ',
    '@media ',
    'a',
    '/*',
    '*/',
  ],
  ...[
    'image-set(',
    'src(',
    'expression(',
    'behavior:',
    '--x:',
    'var(--x)',
    '//outside.example',
    '<!--',
    '-->',
    '</style',
    '<',
  ],
  ...[
    '\\',
    '\\31',
    '\\a ',
    '\n',
    ' ',
    '#f00',
    'background:',
    'url(data:image/png;base64,AAAA)',
    '!important',
    '[',
    ']',
    '\0',
    '\ud800',
  ],
);

/** The seed of this run; a failure prints it with the failing page. */
const check = (property: fc.IProperty<[string[]]>) =>
  fc.assert(property, { numRuns: 1500, verbose: fc.VerbosityLevel.None });

describe('any page', () => {
  test('a cleaned page is harmless and stays the same when cleaned again', () => {
    check(
      fc.property(markup, (pieces) => {
        const clean = cleaned(pieces.join(''));
        expect(faultsIn(clean)).toEqual([]);
        expect(cleaned(clean)).toBe(clean);
      }),
    );
  });

  test('any style in an element, an attribute or SVG loads nothing', () => {
    check(
      fc.property(fc.array(tokens, { maxLength: 30 }), (parts) => {
        const css = parts.join('');
        const value = css.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
        const clean = cleaned(
          `<style>${css}</style><p style="${value}">x</p><svg><rect fill="${value}"/><style>${value}`,
        );
        expect(faultsIn(clean)).toEqual([]);
        expect(cleaned(clean)).toBe(clean);
      }),
    );
  });
});

test('a refused page has a one-sentence reason', () => {
  expect(() => read('<div>'.repeat(513))).toThrow(Unreadable);
  expect(() => read('<div>'.repeat(513))).toThrow(/^The page nests more than 512 elements\.$/);
  expect(() => read('<hr>'.repeat(200_001))).toThrow(/^The page has more than 200000 elements/);
});
