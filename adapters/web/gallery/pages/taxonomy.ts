import { html } from 'hono/html';
import type { Taxonomy, TaxonomyTerm } from '../../../../domain/design/gallery/taxonomy.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { emptyBox, type Html } from '../../shared/pieces.ts';
import type { Paths } from '../paths.ts';
import { explorePath } from '../query.ts';
import { layout, type Page } from './page.ts';
import { swatch } from './pieces.ts';

type Term = TaxonomyTerm & { readonly screens: number };

const section = (title: string, body: Html, isEmpty: boolean): Html | '' =>
  isEmpty ? '' : html`<section class="words-of"><h2>${title}</h2>${body}</section>`;

const terms = (page: Page, title: string, all: readonly Term[], pathOf: (key: string) => string): Html | '' => {
  const used = all.filter(({ screens }) => screens > 0);
  const items = used.map((term) => {
    const about = term.description === undefined ? undefined : inLocale(term.description, page.language);
    return html`<li class="term"><a href="${page.to(pathOf(term.key))}">${inLocale(term.name, page.language) ?? term.key}</a><span class="count">${page.m.count(term.screens)}</span>${about === undefined ? '' : html`<p class="hint">${about}</p>`}</li>`;
  });
  return section(title, html`<ul class="terms">${items}</ul>`, used.length === 0);
};

/** The terms of the taxonomy, each with its screens. */
const taxonomyView = (page: Page, taxonomy: Taxonomy): Html => {
  const { m } = page;
  const { page_types, patterns, elements } = taxonomy;
  const colors = taxonomy.colors.filter(({ screens }) => screens > 0);
  const fonts = taxonomy.fonts.filter(({ screens }) => screens > 0);
  const isEmpty = ![page_types, patterns, elements].flat().some(({ screens }) => screens > 0);
  return layout(page, {
    title: m.taxonomy.title,
    section: 'taxonomy',
    body: html`<h1>${m.taxonomy.title}</h1>
<p class="lead">${m.taxonomy.lead}</p>
${isEmpty ? emptyBox(m.taxonomy.empty, m.taxonomy.emptyText) : ''}
${terms(page, m.taxonomy.kinds, page_types, (kind) => explorePath({ kind }))}
${terms(page, m.taxonomy.patterns, patterns, (key) => explorePath({ patterns: [key] }))}
${terms(page, m.taxonomy.elements, elements, (key) => explorePath({ components: [key] }))}
${section(
  m.taxonomy.colors,
  html`<ul class="colors wide">${colors.map(({ hex, screens }) => html`<li>${swatch(hex)}<a href="${page.to(explorePath({ color: hex }))}"><code>${hex}</code></a><span class="times">${m.count(screens)}</span></li>`)}</ul>`,
  colors.length === 0,
)}
${section(
  m.taxonomy.fonts,
  html`<ul class="words">${fonts.map(({ name, screens }) => html`<li class="word">${name} <span class="times">${m.count(screens)}</span></li>`)}</ul>`,
  fonts.length === 0,
)}`,
  });
};

export const addTaxonomyPages = (paths: Paths): void => {
  const { showTaxonomy } = paths.parts;

  paths.page('/taxonomy', async () => {
    const words = await showTaxonomy();
    return (page) => taxonomyView(page, words);
  });
};
