import type { Language } from '../shared/language.ts';

/** The parts of a message. Text and HTML are rendered from the same parts. */
export type Letter = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly facts?: readonly (readonly [name: string, value: string])[];
  /** Texts to copy, each on its own line. */
  readonly codes?: readonly (readonly [name: string, value: string])[];
  /** A quotation of a person's text. */
  readonly quote?: string;
  /** Paragraphs about the button, below it. */
  readonly after?: readonly string[];
  readonly button?: { readonly text: string; readonly url: string };
  /** Another page, linked below the button. */
  readonly link?: { readonly text: string; readonly url: string };
  readonly closing: string;
};

/** The shop's branding in messages. */
export type LetterHead = {
  readonly name: string;
  readonly logo_url: string | null;
  /** True if the logo contains the shop's name, which is then not shown next to it. */
  readonly logo_has_name: boolean;
  /** The color of the button, with enough contrast for white text. */
  readonly accent: string;
};

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const lines = (text: string): string => escaped(text).replace(/\r?\n/g, '<br>');

const ways = (way: Letter['link']): string[] => (way ? [`${way.text}:\n${way.url}`] : []);

/** A title of HTML in which no number breaks, such as that of an order, if it has room on a phone. */
const titleHtml = (subject: string): string =>
  escaped(subject).replaceAll(/(?<!\S)(?=\S{1,20}(?!\S))\S*\d\S*/g, '<span style="white-space:nowrap">$&</span>');

export const letterText = (
  { paragraphs, facts = [], codes = [], quote, after = [], button, link, closing }: Letter,
  { name }: Pick<LetterHead, 'name'>,
): string =>
  [
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([term, value]) => `${term}: ${value}`).join('\n')] : []),
    ...codes.map(([term, value]) => `${term}:\n${value}`),
    ...(quote === undefined ? [] : [quote.replaceAll(/\r\n?/g, '\n').replaceAll(/^/gm, '> ')]),
    ...ways(button),
    ...after,
    ...ways(link),
    closing,
    `-- \n${name}`,
  ].join('\n\n');

const brandHtml = ({ name, logo_url, logo_has_name }: LetterHead): string => {
  if (logo_url === null) return escaped(name);
  const logo = (alt: string, style: string): string =>
    `<img src="${escaped(logo_url)}" alt="${escaped(alt)}" height="32" style="vertical-align:middle${style}">`;
  return logo_has_name ? logo(name, '') : `${logo('', ';margin-right:.6em')}${escaped(name)}`;
};

/**
 * The message as an HTML document. Every value is escaped. It uses the reader's colors, except two that are readable on
 * light and dark; it loads only the logo.
 */
export const letterHtml = (
  { subject, paragraphs, facts = [], codes = [], quote, after = [], button, link, closing }: Letter,
  head: LetterHead,
  language: Language,
): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title><style>:root{color-scheme:light dark}</style></head>
<body style="margin:0;font:16px/1.5 system-ui,-apple-system,'Segoe UI','Apple SD Gothic Neo','Malgun Gothic',sans-serif">
<div style="max-width:34em;margin:0 auto;padding:1.5em">
<p style="font-weight:600">${brandHtml(head)}</p>
<h1 style="font-size:1.35em;line-height:1.3">${titleHtml(subject)}</h1>
${paragraphs.map((text) => `<p>${lines(text)}</p>`).join('\n')}
${facts.length === 0 ? '' : `<table style="border-collapse:collapse">${facts.map(([term, value]) => `<tr><td style="padding:.2em 1.2em .2em 0;opacity:.75;vertical-align:top">${escaped(term)}</td><td style="padding:.2em 0">${escaped(value)}</td></tr>`).join('')}</table>`}
${codes.map(([term, value]) => `<p>${escaped(term)}<br><code style="font-size:1.05em;word-break:break-all">${escaped(value)}</code></p>`).join('\n')}
${quote === undefined ? '' : `<blockquote style="margin:1em 0;padding-left:1em;border-left:3px solid #888888">${lines(quote)}</blockquote>`}
${
  button
    ? `<p style="margin:1.6em 0"><a href="${escaped(button.url)}" style="display:inline-block;padding:.7em 1.2em;border-radius:8px;background:${head.accent};color:#ffffff;text-decoration:none;font-weight:600">${escaped(button.text)}</a></p>
<p style="font-size:.85em;word-break:break-all;opacity:.75">${escaped(button.url)}</p>`
    : ''
}
${after.map((text) => `<p>${lines(text)}</p>`).join('\n')}
${link ? `<p><a href="${escaped(link.url)}" style="color:inherit">${escaped(link.text)}</a></p>\n` : ''}<p style="opacity:.75">${lines(closing)}</p>
</div></body></html>
`;
