import { describe, expect, test } from 'vitest';
import { isOffered } from '../../../domain/delivery/release.ts';

const NOW = '2026-11-22T08:00:00.000Z';
const release = {
  id: 1,
  product_id: 1,
  version: '1.0.0',
  build: null,
  channel: 'stable',
  notes_en: null,
  notes_ko: null,
  source_ref: null,
  released_at: NOW,
  artifacts: [],
} as const;

describe('an offered release', () => {
  test('a release is offered from its release date on', () => {
    expect(isOffered(release, NOW)).toBe(true);
  });

  test('a release is not offered before its release date', () => {
    expect(isOffered({ ...release, released_at: '2026-11-22T08:00:00.001Z' }, NOW)).toBe(false);
  });

  test('a withdrawn release is not offered', () => {
    expect(isOffered({ ...release, withdrawn: { at: NOW, reason: 'It deletes files.' } }, NOW)).toBe(false);
  });
});
