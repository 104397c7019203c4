import { html } from 'hono/html';
import { type CompanyDisclosure, DISCLOSURE_FIELDS } from '../../../../domain/catalog/catalog.ts';
import { facts, type Html } from '../../shared/pieces.ts';
import { show } from '../answer.ts';
import type { Paths } from '../paths.ts';
import { notFoundView } from '../views/messages.ts';
import { layout, type Page } from '../views/page.ts';

const value = (company: CompanyDisclosure, field: (typeof DISCLOSURE_FIELDS)[number]): Html | string | null => {
  const text = company[field];
  if (text === '') return null;
  if (field === 'website' || field === 'ftc_biz_info_url') return html`<a href="${text}">${new URL(text).host}</a>`;
  return field === 'email' ? html`<a href="mailto:${text}">${text}</a>` : text;
};

export const imprintView = (page: Page): Html => {
  const { m, locale, shop } = page;
  const company = shop.disclosure?.[locale];
  if (!company) return notFoundView(page);
  return layout(page, {
    title: m.shop.imprint,
    narrow: true,
    body: html`<h1>${m.shop.imprint}</h1>
${facts(DISCLOSURE_FIELDS.map((field) => [m.shop[field], value(company, field)]))}`,
  });
};

export const addImprintPage = (paths: Paths): void => {
  paths.open('/imprint', async () => {
    const { disclosure } = await paths.settings.parts.catalogs.current();
    return show(imprintView, disclosure === null ? 404 : 200);
  });
};
