import { type Lineage, type LineageMember, membersOf } from '../../domain/catalog/lineage.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { inLocale, type Locale } from '../../domain/shared/locale.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';

/** The active lineages, by id. */
export const listLineages = ({ catalogs }: { catalogs: Catalogs }) =>
  async function listLineages({ locale }: { locale: Locale }) {
    const { lineages, products } = await catalogs.current();
    const active = lineages.filter((lineage) => lineage.active);
    return { lineages: active.map((lineage) => lineageSummary(lineage, products, locale)) };
  };

/** One active lineage and its published products. An inactive lineage is refused like an unknown slug. */
export const showLineage = ({ catalogs }: { catalogs: Catalogs }) =>
  async function showLineage({ slug, locale }: { slug: string; locale: Locale }) {
    const { lineages, products } = await catalogs.current();
    const lineage = lineages.find((one) => one.active && one.slug === slug);
    return lineage
      ? ok({ lineage: lineageView(lineage, products, locale) })
      : refuse('not_found', { message: 'There is no such lineage.' });
  };

const text = (value: Lineage['description'], locale: Locale): string | null =>
  value === null ? null : (inLocale(value, locale) ?? null);

const memberView = ({ product, role }: LineageMember, position: number, locale: Locale) => ({
  position,
  role,
  id: product.id,
  slug: product.slug,
  name: inLocale(product.name, locale) ?? '',
  type: product.type,
  type_label: inLocale(product.type_label, locale) ?? '',
  description: text(product.description, locale),
  active: product.active,
});

export const lineageView = (lineage: Lineage, products: ReadonlyMap<number, Product>, locale: Locale) => ({
  id: lineage.id,
  slug: lineage.slug,
  name: inLocale(lineage.name, locale) ?? '',
  description: text(lineage.description, locale),
  active: lineage.active,
  products: membersOf(lineage, products).map((member, i) => memberView(member, i + 1, locale)),
});

/** A lineage in a list, with the recommended product and the number of published ones. */
export const lineageSummary = (lineage: Lineage, products: ReadonlyMap<number, Product>, locale: Locale) => {
  const { products: members, ...view } = lineageView(lineage, products, locale);
  const current = members.find(({ role }) => role === 'current');
  return {
    ...view,
    product_count: members.length,
    current_product: current ? { id: current.id, slug: current.slug, name: current.name } : null,
  };
};

/** The store's business disclosure in Korean and English (`PublicDisclosureData` in the OpenAPI document). */
export const showDisclosure = ({ catalogs }: { catalogs: Catalogs }) =>
  async function showDisclosure() {
    const { disclosure } = await catalogs.current();
    // A refusal, because nine empty texts would look like a real disclosure.
    return disclosure
      ? ok(disclosure)
      : refuse('not_found', { message: 'This store has not entered its business disclosure yet.' });
  };
