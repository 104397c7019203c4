/** A page that a hostile site might send, named for its attack. */
export type HostilePage = { readonly name: string; readonly html: string };

/** The target of the attacks below; a saved page that requests anything from it is unsafe. */
export const OUTSIDE = 'https://outside.example';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const page = (name: string, html: string): HostilePage => ({ name, html });

const scripts: readonly HostilePage[] = [
  page('a script', `<script src="${OUTSIDE}/x.js"></script><script>fetch("${OUTSIDE}")</script>`),
  page('a script in capitals that never ends', '<ScRiPt>alert(1)'),
  page('event handlers', '<body onload=alert(1)><p onclick=alert(1) ONMOUSEOVER="x">a<img src=x onerror=alert(1)>'),
  page('an event handler after a slash', '<img/src="x"/onerror=alert(1)><details open/ontoggle=alert(1)>x'),
  page('a javascript link', '<a href="javascript:alert(1)">a</a><area href="javascript:alert(1)">'),
  page(
    'a javascript link with tabs, line breaks and references',
    '<a href=" \u0001java&#9;scr\nipt&colon;alert(1)">a</a>',
  ),
  page('a data link', '<a href="data:text/html,<script>alert(1)</script>">a</a>'),
  page('a form that sends', `<form action="${OUTSIDE}" method=post><button formaction="${OUTSIDE}">a</button></form>`),
  page('a script in SVG', '<svg onload=alert(1)><script>alert(1)</script><script href="x"/></svg>'),
  page('foreignObject in SVG', '<svg><foreignObject><iframe src="javascript:alert(1)"></iframe></foreignObject></svg>'),
  page(
    'an animation that sets a link',
    '<svg><a><animate attributeName=href values="javascript:alert(1)"/>x</a></svg>',
  ),
  page(
    'a link in MathML',
    '<math><maction actiontype="statusline" xlink:href="javascript:alert(1)">x</maction></math>',
  ),
  page('srcdoc', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'),
  page('a shadow root', '<div><template shadowrootmode=open><script>alert(1)</script></template></div>'),
];

const requests: readonly HostilePage[] = [
  page(
    'a meta refresh',
    `<meta http-equiv=refresh content="0;url=${OUTSIDE}"><meta http-equiv="Set-Cookie" content=a=b>`,
  ),
  page('a base', `<base href="${OUTSIDE}/"><a href="x">a</a><img src="x">`),
  page(
    'images',
    `<img src="${OUTSIDE}/a.png" srcset="${OUTSIDE}/b.png 2x"><picture><source srcset="${OUTSIDE}/c.png"><img src=${PIXEL}></picture>`,
  ),
  page(
    'media',
    `<video src="${OUTSIDE}/a" poster="${OUTSIDE}/b"><source src="${OUTSIDE}/c"><track src="${OUTSIDE}/d"></video><audio src="${OUTSIDE}/e" autoplay>`,
  ),
  page(
    'frames',
    `<iframe src="${OUTSIDE}"></iframe><object data="${OUTSIDE}"></object><embed src="${OUTSIDE}"><portal src="${OUTSIDE}"></portal>`,
  ),
  page(
    'links of every kind',
    ['preload as=image', 'prefetch', 'icon', 'preconnect', 'manifest', 'import', 'modulepreload']
      .map((rel) => `<link rel=${rel} href="${OUTSIDE}/x">`)
      .join(''),
  ),
  page(
    'backgrounds by attribute',
    `<body background="${OUTSIDE}/a"><table background="${OUTSIDE}/b"><td background="${OUTSIDE}/c">x</table>`,
  ),
  page(
    'an image in SVG',
    `<svg><image href="${OUTSIDE}/a"/><image xlink:href="${OUTSIDE}/b"/><use href="${OUTSIDE}/c#d"/><feImage href="${OUTSIDE}/e"/></svg>`,
  ),
  page(
    'paint from outside in SVG',
    `<svg><rect fill="url(${OUTSIDE}/a#b)" style="mask:url(${OUTSIDE}/c#d)" filter="\\75rl(${OUTSIDE}/e#f)"/><style>rect{fill:url(${OUTSIDE}/g)}</style></svg>`,
  ),
  page('ping and prefetch', `<a href="#x" ping="${OUTSIDE}">a</a><input type=image src="${OUTSIDE}/a"><input list=x>`),
];

/** Styles that try to load something. */
export const HOSTILE_STYLES: readonly string[] = [
  `@import "${OUTSIDE}/a.css"; @import url(${OUTSIDE}/b.css) screen;`,
  `@\\69mport "${OUTSIDE}/a.css"; @IMPORT '${OUTSIDE}/b.css'`,
  `@charset "utf-8"; @namespace svg url(${OUTSIDE}); @document url(${OUTSIDE}) {a{color:red}}`,
  `a{background:url(${OUTSIDE}/a)} b{background:URL( "${OUTSIDE}/b" )} c{background:url('${OUTSIDE}/c'`,
  `a{background:\\75rl(${OUTSIDE}/a)} b{background:\\75 \\72 \\6c(${OUTSIDE}/b)} c{background:u\\000072l("${OUTSIDE}/c")}`,
  `a{background:u/**/rl(${OUTSIDE}/a)} b{background:u<!--rl(${OUTSIDE}/b)} c{background:/*url(*/url(${OUTSIDE}/c)}`,
  `a{background:image-set("${OUTSIDE}/a" 1x, url(${OUTSIDE}/b) 2x)} b{background:-webkit-image-set(url(${OUTSIDE}/c) 1x)}`,
  `:root{--u:"${OUTSIDE}/a"} a{background:image-set(var(--u) 1x)} b{background:src(var(--u))} c{content:attr(x type(<url>))}`,
  `@font-face{font-family:x;src:url(${OUTSIDE}/a) format("woff2"),url(data:font/ttf;base64,AAAA)}`,
  `a{background:cross-fade(url(${OUTSIDE}/a),url(${OUTSIDE}/b))} b{cursor:url(${OUTSIDE}/c),auto} c{list-style:url(${OUTSIDE}/d)}`,
  `a{background:url(data:image/svg+xml;base64,PHN2Zz4=)} b{background:url("data:text/html,x")} c{background:url(//outside.example)}`,
  `a{width:expression(alert(1));behavior:url(${OUTSIDE}/a);-moz-binding:url(${OUTSIDE}/b#c);behavi\\6fr:url(x)}`,
  `a{content:"</style><script>alert(1)</script>"} b{content:'<\\/style><img src=x>'} </style`,
  `a{background:url(${OUTSIDE}/a\nb)} b{content:"x\ny"; background:url(${OUTSIDE}/c)}`,
  `@media x{a{background:url(${OUTSIDE}/a)}} @supports (background:url(${OUTSIDE}/b)) {b{background:url(${OUTSIDE}/c)}`,
  `a{--x:{background:url(${OUTSIDE}/a)};b:(url(${OUTSIDE}/b)[url(${OUTSIDE}/c)]`,
  `a\0{background:u\0rl(${OUTSIDE}/a)} \ud800{background:url(${OUTSIDE}/b)} \\0 {c:url(${OUTSIDE}/d)}`,
  `a{background:\\31\\75 rl(${OUTSIDE}/a);content:"\\`,
];

const styles: readonly HostilePage[] = HOSTILE_STYLES.flatMap((css, i) => [
  page(`style element ${i + 1}`, `<style>${css}</style><p>a`),
  page(`style attribute ${i + 1}`, `<p style="${css.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">a`),
]);

/** Markup that parsers read differently the second time, from published attacks on sanitizers. */
const mutations: readonly HostilePage[] = [
  ...[
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<style><a id="</style><img src=x onerror=alert(1)>"></style>',
    '<title><a id="</title><img src=x onerror=alert(1)>"></title>',
    '<textarea><a id="</textarea><img src=x onerror=alert(1)>"></textarea>',
    '<template><style></template><img src=x onerror=alert(1)></style></template>',
    '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
    '<plaintext></plaintext><img src=x onerror=alert(1)>',
    '<iframe><img title="</iframe><img src=x onerror=alert(1)>"></iframe>',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<svg><title><style><!--</title><img src=x onerror=alert(1)>--></style>',
    '<svg><desc><svg><image><a><desc><a><image></a></desc></a></image></svg></desc></svg>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<math><mtext><table><mglyph><style><math><table id="</table>"><img src onerror=alert(1)">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<math><annotation-xml encoding="text/html"><style><img title="</style><img src onerror=alert(1)>">',
    '<svg><annotation-xml><foreignobject><style><!--</style><p id="--><img src=x onerror=alert(1)>">',
    '<select><template><style><!--</style><a rel="--></style></template></select><img src=x onerror=alert(1)>">',
    '<table><a>1<p>2</a>3</p></table><b><i></b></i><a><table><a>x</a></table></a>',
    '<form id=a><div></form><form id=b>x</form></div><p><table><tr><td><p></table>',
    '<frameset><frame src="javascript:alert(1)"><noframes><img src=x onerror=alert(1)></noframes></frameset>',
    '<pre>\n\n<textarea>\n\n</textarea><listing>\n\na</listing></pre>',
    '<option><p><select><option><svg></option></svg><hr></select><optgroup>x',
    '<!--><img src=x onerror=alert(1)>--><!--[if IE]><script>alert(1)</script><![endif]--><![CDATA[<script>x]]>',
    '<?php <script>alert(1)</script> ?><!doctype html [<!entity x "y">]>&x;',
    '<nobr><nobr><b><p></nobr>x</b><ruby><rt><rtc><rp>x<button><button>y',
    '<svg><p><svg><g><div><font color=red><svg><path></svg></font></g></svg></svg>',
    '<body><body class=a><html lang=xx><head><title>a</title></head></html>after',
    '<dialog open><details><summary></details></dialog></p></br><image src=x onerror=alert(1)><isindex>',
  ].map((html, i) => page(`mutation ${i + 1}`, html)),
];

const texts: readonly HostilePage[] = [
  page('lone surrogates and null characters', 'a\ud800b&#xd800;&#0;\0<p title="\udfff\0">c</p>'),
  page('attributes that are not well formed', '<p """="<" \'="x" <="y" a=`b` =c>x</p><p =x =y ==z>'),
  page('deceptive data', '<p data-src="javascript:alert(1)" data-onload=x aria-label="<script>">x</p>'),
];

/** Pages that a reader must sanitize. */
export const HOSTILE_PAGES: readonly HostilePage[] = [...scripts, ...requests, ...styles, ...mutations, ...texts];

const MIB = 1_048_576;
const filled = (text: string, size = 10 * MIB): string => text.repeat(Math.floor(size / text.length));

/** Pages that would take a reader too long or too much memory, unless it refuses them or stays within its limits. */
export const HEAVY_PAGES: readonly { readonly name: string; readonly html: () => string; readonly refused: boolean }[] =
  [
    { name: '100,000 nested elements', html: () => '<div>'.repeat(100_000), refused: true },
    { name: '10 MiB of <b>', html: () => filled('<b>'), refused: true },
    { name: '10 MiB of <a>', html: () => filled('<a>'), refused: true },
    {
      name: '10 MiB of formatting that paragraphs open again',
      html: () => `${'<font>'.repeat(300)}${filled('<p>')}`,
      refused: true,
    },
    { name: '10 MiB of comments', html: () => filled('<!---->'), refused: true },
    { name: '10 MiB of nested SVG', html: () => filled('<svg>'), refused: true },
    { name: '10 MiB of templates', html: () => filled('<template>'), refused: true },
    { name: '10 MiB of ends without a beginning', html: () => `<b><i><u>${filled('</b>')}`, refused: false },
    { name: 'one attribute of 8 MiB', html: () => `<p title="${'x'.repeat(8 * MIB)}">`, refused: false },
    { name: 'style of 10 MiB of open blocks', html: () => `<style>${filled('a{')}</style>`, refused: true },
    { name: 'style of 10 MiB of open brackets', html: () => `<style>a{b:${filled('(')}</style>`, refused: true },
    { name: 'style of 10 MiB of backslashes', html: () => `<style>${filled('\\')}</style>`, refused: true },
  ];
