import { describe, expect, test } from 'vitest';
import {
  accentContrast,
  accentFault,
  type Color,
  contrast,
  DEFAULT_ACCENT,
  LEAST_CONTRAST,
  readableAccent,
  SCHEMES,
} from '../../../domain/catalog/accent.ts';
import { accentOf } from '../../../domain/catalog/catalog.ts';

describe('the accent of the shop', () => {
  test('the contrast follows WCAG: 21 for black on white, 1 for a color on itself', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#123456', '#123456')).toBe(1);
  });

  test.each(SCHEMES)('the default accent is readable on %s pages', (scheme) => {
    expect(accentFault(DEFAULT_ACCENT[scheme], scheme)).toBeUndefined();
  });

  test('the error for an unreadable accent names a readable one', () => {
    expect(accentFault('#ff9900', 'light')).toBe(
      'has a contrast of 1.99:1 with the light pages, and text needs 4.5:1 (WCAG); #a16000 would pass',
    );
    expect(accentFault('#a16000', 'light')).toBeUndefined();
  });

  test.each(SCHEMES)('a readable color is found for any color, and a readable one stays unchanged (%s)', (scheme) => {
    for (let step = 0; step < 0x1000000; step += 0x3f1d7) {
      const color: Color = `#${step.toString(16).padStart(6, '0')}`;
      const readable = readableAccent(color, scheme);
      expect(accentContrast(readable, scheme)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
      expect(readableAccent(readable, scheme)).toBe(readable);
    }
  });

  test('a shop with one accent gets a readable one for dark pages', () => {
    const pages = { product_url: null, product_detail_url: null };
    expect(accentOf(null)).toEqual(DEFAULT_ACCENT);
    const { light, dark } = accentOf({ ...pages, accent: '#0f6b5c' });
    expect([light, accentFault(dark, 'dark')]).toEqual(['#0f6b5c', undefined]);
    expect(accentOf({ ...pages, accent: '#0f6b5c', accent_dark: '#6fc9b6' }).dark).toBe('#6fc9b6');
  });
});
