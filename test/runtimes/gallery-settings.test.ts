import { expect, test } from 'vitest';
import { isDesignPage } from '../../adapters/host/addresses.ts';
import { documentReaders, isFromThisMachine } from '../../runtimes/configuration/auto-settings.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { SETTINGS } from '../support/memory-engines.ts';

const readers = (documents: 'auto' | 'always' | 'never', design: string) =>
  documentReaders({ documents }, { ...SETTINGS.urls, design });

test.each([
  'http://127.0.0.1:8788',
  'http://localhost:8788',
  'http://design.localhost',
  'http://[::1]:8788',
])('documents at %s, which is on this machine, are visible only from this machine', (design) => {
  expect(readers('auto', design)).toBe('this machine');
  expect(readers('always', design)).toBe('everybody');
  expect(readers('never', design)).toBe('nobody');
});

test.each([
  'https://design.example.com',
  'http://10.0.0.1',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
])('documents are shown at %s only if the operator says so', (design) => {
  expect(readers('auto', design)).toBe('nobody');
  expect(readers('always', design)).toBe('everybody');
});

test.each([
  ['127.0.0.1:8788', '127.0.0.1', true],
  ['localhost', '::1', true],
  ['[::1]:8788', '::ffff:127.0.0.1', true],
  ['127.0.0.1:8788', '192.168.0.7', false],
  ['192.168.0.2:8788', '127.0.0.1', false],
  ['rebound.example.com:8788', '127.0.0.1', false],
  ['127.0.0.1:8788', '', false],
  ['127.0.0.1:8788', '::ffff:10.127.0.0', false],
  [undefined, '127.0.0.1', false],
  [' ', '127.0.0.1', false],
])('a request for the host %s from the address %s is from this machine: %s', (host, address, isFrom) => {
  expect(isFromThisMachine({ headers: { host } }, address)).toBe(isFrom);
});

test.each([
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-real-ip',
])('a request with %s was forwarded by a proxy and is not local', (name) => {
  expect(isFromThisMachine({ headers: { host: 'localhost', [name]: '127.0.0.1' } }, '127.0.0.1')).toBe(false);
});

test('GALLERY_DOCUMENTS accepts one of three words', () => {
  expect(readConfig({}).galleryDocuments).toBe('auto');
  expect(() => readConfig({ GALLERY_DOCUMENTS: 'yes' })).toThrow('GALLERY_DOCUMENTS takes one of auto, always, never');
});

test.each([
  ['/', true],
  ['/screens/1', true],
  ['/screens/1/saved', true],
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
])('the path %s is a page: %s', (path, isPage) => {
  expect(isDesignPage(path)).toBe(isPage);
});
