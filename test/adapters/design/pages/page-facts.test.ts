import { describe, expect, test } from 'vitest';
import { ELEMENTS } from '../../../../domain/design/gallery/terms-in-force.ts';
import { SHEET_START } from '../../../../domain/shared/stored-file.ts';
import { read, textOf } from './reading.ts';

const A_CSS = 'https://shop.example/orders/a.css';

describe('the style sheets of a page', () => {
  test('style sheets are found by their resolved URLs, with the page’s base and without fragments', () => {
    const html =
      '<base href="/static/"><link rel="STYLESHEET preload" href=" a.css?v=1#x "><link rel=stylesheet href=b.css>';
    const { styles, missing } = read(html, { 'https://shop.example/static/a.css?v=1': 'a { color: red }' });
    expect(styles.map(({ css }) => textOf(css))).toEqual([`${SHEET_START}a{color:red;}`]);
    expect(missing).toEqual(['https://shop.example/static/b.css']);
  });

  test('style sheets are linked once by their hashes, and missing ones are removed', () => {
    const html =
      '<link rel=stylesheet media=print href=a.css><link rel=stylesheet href=./a.css><link rel=stylesheet href=b.css>';
    const { styles, html: clean } = read(html, { [A_CSS]: 'a{}' });
    const path = `/media/${styles[0]?.sha256}.css`;
    expect(styles).toHaveLength(1);
    expect(textOf(clean)).toContain(
      `<link rel="stylesheet" href="${path}" media="print"><link rel="stylesheet" href="${path}"></head>`,
    );
  });

  test('a page can’t link a file of this host that was not made for it', () => {
    const { html, missing } = read(`<link rel=stylesheet href="/media/${'a'.repeat(64)}.css">`);
    expect(textOf(html)).not.toContain('<link');
    expect(missing).toEqual([`https://shop.example/media/${'a'.repeat(64)}.css`]);
  });

  test('alternate and disabled sheets and those of another scheme are ignored', () => {
    const html =
      '<link rel="alternate stylesheet" href=a><link rel=stylesheet disabled href=b><link rel=stylesheet href="data:text/css,a{}">';
    expect(read(html)).toMatchObject({ styles: [], missing: [] });
  });
});

describe('style that loads nothing', () => {
  test.each([
    '@media (width<600px){.a>b::before{content:"“a  b”";}}',
    '.md\\:w-1\\/2{width:50%;}.\\31 0{margin:-1px;}',
    '@font-face{font-family:A;src:local("A"),url(data:font/woff2;base64,AAAA) format("woff2");}',
    'a{background:#fff url(data:image/webp;base64,AAAA) no-repeat;mask:url(#m);}',
    '.a{color:red;& .b:hover{color:blue;}}@layer a, b;',
    '@keyframes x{from{top:0;}to{top:calc(1px + 2%);}}@supports (display:grid){a{--x:{a:b;}}}',
  ])('the style %s loads nothing and stays unchanged', (css) => {
    expect(textOf(read('<link rel=stylesheet href=a.css>', { [A_CSS]: css }).styles[0]?.css ?? new Uint8Array())).toBe(
      `${SHEET_START}${css}`,
    );
  });
});

describe('the colors of a page', () => {
  const colorsOf = (css: string) => read(`<style>${css}</style>`).colors.map(({ hex }) => hex);

  test.each([
    ['#ABC', '#aabbcc'],
    ['#aabbcc80', '#aabbcc'],
    ['RebeccaPurple', '#663399'],
    ['rgb(255, 128, 0)', '#ff8000'],
    ['rgb(100% 0% 50% / 50%)', '#ff0080'],
    ['hsl(120deg 100% 25%)', '#008000'],
    ['hsla(0.5turn,100%,50%,.5)', '#00ffff'],
    ['oklch(0.637 0.237 25.331)', '#fb2c36'],
    ['oklab(100% 0 0)', '#ffffff'],
  ])('the color %s is %s', (color, hex) => expect(colorsOf(`a{color:${color}}`)).toEqual([hex]));

  test.each([
    'transparent',
    '#0000',
    '#ff000000',
    'rgb(1 2 3 / 0)',
    'inherit',
    'rgb(1,2)',
    'rgb(var(--x))',
    'redd',
    '#12345',
  ])('the value %s is not a color', (color) => expect(colorsOf(`a{color:${color}}`)).toEqual([]));

  test('colors are counted in files, elements and attributes, the most declared first', () => {
    const html =
      '<link rel=stylesheet href=a.css><style>a{color:red;border:1px solid blue}</style><p style="fill:red">';
    expect(read(html, { [A_CSS]: 'b{background:linear-gradient(red,#fff)}' }).colors).toEqual([
      { hex: '#ff0000', share: 0.6 },
      { hex: '#0000ff', share: 0.2 },
      { hex: '#ffffff', share: 0.2 },
    ]);
  });

  test('the color of a variable counts once for each use of the variable', () => {
    const css = ':root{--a:red;--b:blue;--c:var( --a );--unused:lime}p{color:var(--a)}q{border:1px solid VAR(--a,tan)}';
    expect(read(`<style>${css} i{fill:var(--b)}</style>`).colors).toEqual([
      { hex: '#ff0000', share: 0.6 },
      { hex: '#0000ff', share: 0.2 },
      { hex: '#d2b48c', share: 0.2 },
    ]);
  });

  test.each([
    ['light', ['#0000ff', '#ff0000', '#ffffff']],
    ['dark', ['#000000', '#00ff00', '#0000ff']],
  ] as const)('colors of %s mode are those that light-dark() chooses in it', (mode, expected) => {
    const css =
      'p{color:light-dark(red,lime);border:1px solid LIGHT-DARK( rgb(255,255,255) , light-dark(tan,#000))}b{color:blue}';
    const { colors } = read(`<style>${css}</style>`, {}, mode);
    expect(colors.map(({ hex }) => hex).toSorted()).toEqual(expected.toSorted());
  });

  test('names in selectors, families and animations are not colors', () => {
    expect(colorsOf('red,.blue{font-family:Green;animation-name:tan;grid-area:gold}')).toEqual([]);
  });

  test('a page has at most 12 colors', () => {
    const css = Array.from({ length: 20 }, (_, i) => `a{color:#0000${(16 + i).toString(16)}}`).join('');
    expect(colorsOf(css)).toHaveLength(12);
  });
});

test('the fonts of a page are the first families, by how often they are declared, without the generic ones', () => {
  const css = `:root{--sans:"Pretendard",sans-serif} @font-face{font-family:Unused}
    a{font-family:var(--sans)} b{font-family:Noto Sans KR,serif} c{font-family:"Noto Sans KR"} d{font:bold 12px/1.5 'Inter',x}
    e{font-family:system-ui} f{font-family:inherit} g{font:caption}`;
  expect(read(`<style>${css}</style>`).fonts).toEqual(['Noto Sans KR', 'Inter', 'Pretendard']);
});

describe('the text of a page', () => {
  test('the title and visible text of a page are folded', () => {
    const html = `<html lang=" KO-kr "><title>\n 주문  목록 </title><h1>주문</h1><p>가<b>나</b> 다
      <script>x</script><style>y</style><p hidden>h</p><p style="color:red;display: none">i</p><textarea>라</textarea><template>t</template>`;
    expect(read(html)).toMatchObject({ title: '주문 목록', text: '주문 가나 다 라' });
  });

  test('a blank page has no title and no text', () => {
    expect(read('<html lang="<x>">')).toMatchObject({ title: null, text: '' });
  });

  test('the text is cut at 4,000 characters, and never within a character', () => {
    const { text } = read(`<p>a${'😀'.repeat(5000)}`);
    expect(text).toHaveLength(3999);
    expect(text.isWellFormed()).toBe(true);
  });

  test('hidden fields and typed passwords are removed from a saved page', () => {
    const { html } = read(
      '<input type=hidden name=token value=s3cret><input type=Password value=hunter2><input value=a>',
    );
    expect(textOf(html)).toContain('<input type="Password"><input value="a">');
    expect(textOf(html)).not.toMatch(/s3cret|hunter2/);
  });
});

describe('the elements of a page', () => {
  const KEYS = new Set(ELEMENTS.map(({ key }) => key));

  test.each<[string, Record<string, number>]>([
    ['<a href=x>a</a><a>b</a><button>c</button><input type=submit><p role=button>', { link: 1, button: 3 }],
    [
      '<input><input type=EMAIL><input type=search><input type=password><textarea></textarea>',
      { 'text-field': 2, 'search-field': 1, 'password-field': 1, textarea: 1 },
    ],
    [
      '<input type=checkbox><input type=checkbox role=switch><input type=radio><input type=file><input type=date><input type=range><select></select>',
      { checkbox: 1, switch: 1, radio: 1, 'file-field': 1, 'date-field': 1, slider: 1, select: 1 },
    ],
    [
      '<table></table><ul></ul><h2>x</h2><pre><code>a</code></pre><p><code>b</code>',
      { table: 1, list: 1, heading: 1, code: 2 },
    ],
    [
      '<nav><a href=x>a</a></nav><nav aria-label=Breadcrumb></nav><ul class="ui-pagination"></ul>',
      { navigation: 1, link: 1, breadcrumb: 1, pagination: 1 },
    ],
    ['<div class="product-card card__x"></div><div class=card__title></div><article class="card--wide">', { card: 2 }],
    [
      '<svg><path/></svg><img src=x><video></video><progress></progress><details></details>',
      { icon: 1, image: 1, video: 1, progress: 1, disclosure: 1 },
    ],
    [
      '<dialog>hidden</dialog><dialog open></dialog><div role=tablist></div><div role=alert></div>',
      { dialog: 1, tabs: 1, alert: 1 },
    ],
    ['<div class="constructor __proto__" role="toString"></div>', {}],
  ])('page elements are counted by key: %s', (html, elements) => {
    const found = read(`<body>${html}`).elements;
    expect(found).toEqual(elements);
    expect(Object.keys(found).filter((key) => !KEYS.has(key))).toEqual([]);
  });
});
