import { describe, expect, test } from 'vitest';
import { logoOfFile, MAX_LOGO_BYTES, uploadedLogo } from '../../../domain/catalog/logo.ts';
import { storefront } from '../../../ports/inbound/store-document/shop.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const sized = (bytes: number): string => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]).toString('base64');
const base64 = PNG.toString('base64');

describe('an uploaded logo', () => {
  test.each([
    ['a PNG', base64, 'image/png'],
    ['a JPEG', Buffer.from('ffd8ffe000104a46', 'hex').toString('base64'), 'image/jpeg'],
    ['a WebP', Buffer.from('RIFF....WEBPVP8 ').toString('base64'), 'image/webp'],
    ['a PNG of the maximum size', sized(MAX_LOGO_BYTES), 'image/png'],
    ['a PNG of one byte more', sized(MAX_LOGO_BYTES + 1), undefined],
    ['an SVG', Buffer.from('<svg onload="alert(1)"/>').toString('base64'), undefined],
    ['an empty file', '', undefined],
  ])('%s is one, or is none', (_name, file, type) => {
    expect(uploadedLogo(logoOfFile(file) ?? '')?.type).toBe(type);
  });

  test.each([
    ['https://cdn.shop.example/logo.svg', true],
    [`data:image/png;base64,${base64}`, true],
    [`data:image/svg+xml;base64,${base64}`, false],
    [`data:image/jpeg;base64,${base64}`, false],
    [`data:image/png;base64,${base64}"><script>`, false],
    ['data:text/html,hello', false],
    ['javascript:alert(1)', false],
    ['http://cdn.shop.example/logo.png', false],
  ])('the storefront takes %s: %s', (logo_url, isTaken) => {
    expect(storefront().shape.logo_url.safeParse(logo_url).success).toBe(isTaken);
  });
});
