/** The facts that a business must disclose about itself (specification, Public disclosure). */
export const DISCLOSURE_FIELDS = [
  'company_name',
  'representative_name',
  'business_registration_number',
  'mail_order_registration_number',
  'address',
  'phone',
  'email',
  'website',
  'ftc_biz_info_url',
] as const;

export type CompanyDisclosure = { readonly [Field in (typeof DISCLOSURE_FIELDS)[number]]: string };

export type Disclosure = { readonly ko: CompanyDisclosure; readonly en: CompanyDisclosure };
