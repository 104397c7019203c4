import type { Scheme } from './accent.ts';

/**
 * The maximum size of an uploaded logo in bytes. It is stored in the storefront as a `data:` URL, so that an export, a
 * backup and each process have it with the shop's name.
 */
export const MAX_LOGO_BYTES = 64 * 1024;

/** The beginnings of pictures in base64, by their type. */
const BEGINNINGS = { png: 'iVBORw0KGgo', jpeg: '/9j/', webp: 'UklGR' } as const;

type LogoType = keyof typeof BEGINNINGS;

const UPLOADED = /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

export const isUploadedLogo = (url: string): boolean => url.startsWith('data:');

/** The type and the base64 of an uploaded logo; undefined if it is none that browsers show. */
export const uploadedLogo = (
  url: string,
): { readonly type: `image/${LogoType}`; readonly base64: string } | undefined => {
  const [, type, base64 = ''] = UPLOADED.exec(url) ?? [];
  const bytes = (base64.length / 4) * 3 - (base64.length - base64.replaceAll('=', '').length);
  const isWhole = base64.length % 4 === 0 && bytes <= MAX_LOGO_BYTES;
  const isPicture = isWhole && base64.startsWith(BEGINNINGS[type as LogoType]);
  return isPicture ? { type: `image/${type as LogoType}`, base64 } : undefined;
};

/** An uploaded file as a logo; undefined unless it is a PNG, JPEG or WebP picture of at most `MAX_LOGO_BYTES`. */
export const logoOfFile = (base64: string): string | undefined => {
  const type = (Object.keys(BEGINNINGS) as LogoType[]).find((one) => base64.startsWith(BEGINNINGS[one]));
  const url = `data:image/${type};base64,${base64}`;
  return uploadedLogo(url) && url;
};

/** The fields of the storefront with the logo for light and dark pages. */
export const LOGO_FIELDS = { light: 'logo_url', dark: 'logo_dark_url' } as const;

/** The path of an uploaded logo on the buyers' pages. */
export const logoPath = (scheme: Scheme) => (scheme === 'light' ? 'assets/logo' : 'assets/logo-dark');
