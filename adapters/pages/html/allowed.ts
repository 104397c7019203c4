const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The elements of HTML that stay. Every other one is replaced by its content, or dropped with it (DROPPED). */
export const KEPT = words(`
  html head body title meta link style
  address article aside footer header h1 h2 h3 h4 h5 h6 hgroup main nav section search
  blockquote dd div dl dt figcaption figure hr li menu ol p pre ul center
  a abbr b bdi bdo br cite code data dfn em i kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr
  big font nobr strike tt del ins picture img video audio canvas
  caption col colgroup table tbody td tfoot th thead tr
  button datalist fieldset form input label legend meter optgroup option output progress select textarea
  details dialog summary slot
`);

/** Elements that are dropped with all that is in them. */
export const DROPPED = words(`
  script noscript template iframe frame frameset noframes noembed object embed applet portal fencedframe math base
  param source track area map bgsound
`);

/** A custom element is an inert box without its script, which style sheets may give a place. */
export const isCustom = (name: string): boolean => /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/.test(name) && name.length <= 60;

export const VOID = words('br col hr img input link meta wbr');

const EVERYWHERE = words(`
  class id title lang dir role hidden inert popover tabindex part slot
`);

/** Attributes by element. None of them holds an address; those that do are decided one by one in attributes.ts. */
const BY_ELEMENT: Readonly<Record<string, ReadonlySet<string>>> = {
  td: words('colspan rowspan headers align valign width height bgcolor nowrap'),
  th: words('colspan rowspan headers scope abbr align valign width height bgcolor nowrap'),
  tr: words('align valign bgcolor height'),
  table: words('align border cellpadding cellspacing width height bgcolor rules frame summary'),
  thead: words('align valign'),
  tbody: words('align valign'),
  tfoot: words('align valign'),
  caption: words('align'),
  col: words('span width align valign'),
  colgroup: words('span width align valign'),
  img: words('alt width height align border hspace vspace'),
  video: words('width height controls'),
  audio: words('controls'),
  canvas: words('width height'),
  input: words(
    'type value placeholder checked disabled readonly required multiple min max minlength maxlength step size list name pattern width height alt',
  ),
  button: words('type disabled name value'),
  select: words('disabled multiple required size name'),
  option: words('disabled selected value label'),
  optgroup: words('disabled label'),
  textarea: words('rows cols placeholder disabled readonly required maxlength wrap name'),
  fieldset: words('disabled name'),
  label: words('for'),
  output: words('for'),
  meter: words('value min max low high optimum'),
  progress: words('value max'),
  ol: words('start reversed type'),
  ul: words('type'),
  li: words('value type'),
  details: words('open name'),
  dialog: words('open'),
  time: words('datetime'),
  data: words('value'),
  bdo: words('dir'),
  font: words('color face size'),
  hr: words('align color noshade size width'),
  div: words('align'),
  p: words('align'),
  h1: words('align'),
  h2: words('align'),
  h3: words('align'),
  pre: words('width'),
  body: words('bgcolor text link alink vlink'),
  meta: words('name content'),
  link: words('media'),
  style: words('media'),
};

const NONE: ReadonlySet<string> = new Set();

export const isKeptAttribute = (element: string, name: string): boolean =>
  EVERYWHERE.has(name) ||
  (Object.hasOwn(BY_ELEMENT, element) ? (BY_ELEMENT[element] ?? NONE) : NONE).has(name) ||
  /^(?:aria|data)-[a-z0-9-]{1,60}$/.test(name);

/** The names of `meta` that stay. */
export const META = words('viewport description color-scheme theme-color');
