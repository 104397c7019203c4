import { expect, test } from 'vitest';
import { readConfig } from '../../runtimes/composition/config.ts';
import { isDesignPage } from '../../runtimes/composition/design-routes.ts';
import { showsDocuments } from '../../runtimes/composition/gallery-settings.ts';
import { SETTINGS } from '../support/memory-engines.ts';

const shown = (documents: 'auto' | 'always' | 'never', design: string): boolean =>
  showsDocuments({ documents }, { ...SETTINGS.urls, design });

test.each([
  'http://127.0.0.1:8788',
  'http://localhost:8788',
  'http://design.localhost',
  'http://[::1]:8788',
])('documents are shown by themselves at %s, which is on this machine', (design) => {
  expect(shown('auto', design)).toBe(true);
  expect(shown('never', design)).toBe(false);
});

test.each([
  'https://design.example.com',
  'http://10.0.0.1',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
])('documents are shown at %s only where the operator says so', (design) => {
  expect(shown('auto', design)).toBe(false);
  expect(shown('always', design)).toBe(true);
});

test('GALLERY_DOCUMENTS takes one of three words', () => {
  expect(readConfig({}).galleryDocuments).toBe('auto');
  expect(() => readConfig({ GALLERY_DOCUMENTS: 'yes' })).toThrow('GALLERY_DOCUMENTS takes one of auto, always, never');
});

test.each([
  ['/', true],
  ['/screens/1', true],
  ['/apps', true],
  ['/documents/api', true],
  ['/apiary', true],
  ['/assets/gallery-0.css', true],
  ['/screens/1/page', false],
  ['/media/x.png', false],
  ['/api/v1/screens', false],
  ['/mcp', false],
  ['/skill/SKILL.md', false],
  ['/uploads/design/x', false],
  ['/.well-known/x', false],
  ['/healthz', false],
])('%s is a page: %s', (path, isPage) => {
  expect(isDesignPage(path)).toBe(isPage);
});
