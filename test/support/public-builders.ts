import type { CompanyDisclosure, Disclosure, Storefront } from '../../domain/catalog/catalog.ts';
import type { Lineage } from '../../domain/catalog/lineage.ts';
import type { ProductContent } from '../../domain/catalog/product.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';

/** An active lineage of product 1 only. */
export const aLineage = (overrides: Partial<Lineage> = {}): Lineage => ({
  id: 1,
  slug: `lineage-${overrides.id ?? 1}`,
  name: { en: `Lineage ${overrides.id ?? 1}` },
  description: null,
  active: true,
  product_ids: [1],
  current_product_id: null,
  ...overrides,
});

const company = (company_name: string): CompanyDisclosure => ({
  company_name,
  representative_name: 'A. Founder',
  business_registration_number: '000-00-00000',
  mail_order_registration_number: '',
  address: '1 Street',
  phone: '02-000-0000',
  email: 'help@example.com',
  website: 'https://example.com',
  ftc_biz_info_url: '',
});

export const aDisclosure = (): Disclosure => ({ ko: company('예시'), en: company('Example') });

/** A shop whose buyers may withdraw for seven days in Korea. */
export const A_STOREFRONT: Storefront = {
  product_url: null,
  product_detail_url: null,
  withdrawal: { days: 7, time_zone: 'Asia/Seoul', terms_url: null },
};

/** Content of product 1 without texts and files. */
export const aContent = (overrides: Partial<ProductContent> = {}): ProductContent => ({
  product_id: 1,
  detail_html: null,
  gallery: [],
  videos: [],
  usage_path: null,
  architecture_path: null,
  ai_prompt_path: null,
  assets: [],
  ...overrides,
});

/** A buyer's access, without an end. */
export const anAccess = (overrides: Partial<GrantedAccess> = {}): Promise<GrantedAccess> =>
  Promise.resolve({
    granted: true,
    access_source: 'direct',
    access_expires_at: null,
    updates_supported_until: null,
    device_limit: null,
    edition: null,
    features: [],
    metadata: {},
    ...overrides,
  });
