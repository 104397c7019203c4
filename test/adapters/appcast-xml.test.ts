import { describe, expect, test } from 'vitest';
import { appcastXml } from '../../adapters/appcast/appcast-xml.ts';
import type { AppcastItem } from '../../domain/delivery/appcast.ts';
import { anItem } from '../support/appcast.ts';
import { readAppcast } from '../support/read-appcast.ts';

const write = (...items: AppcastItem[]): string =>
  appcastXml({ title: 'Notes', link: 'https://app.example.com/appcast.xml', language: 'en', items });

const patch = { ...anItem('2').enclosure, from_build: '1', signature: 'patched' };
const full = anItem('200.1', {
  release_id: 7,
  short_version: '2.0',
  channel: 'beta',
  published_at: '2026-03-05T01:02:03.000Z',
  minimum_system_version: '13.0.0',
  maximum_system_version: '15.9.0',
  minimum_autoupdate_version: '200',
  ignore_skipped_upgrades_below_version: '199',
  critical: { below_version: '150' },
  informational: { versions: ['1', '2'], below_version: '0.5' },
  link: 'https://example.com/?a=1&b="2"',
  full_release_notes_link: 'https://example.com/all',
  phased_rollout_interval: 3600,
  notes: [
    { locale: 'en', html: '<p>New &amp; old</p>' },
    { locale: 'ko', html: '<p>새</p>' },
  ],
  notes_links: [{ locale: 'ko', url: 'https://example.com/ko' }],
  requires_arm64: true,
  enclosure: {
    url: 'https://x/?a=1&b=2',
    length: 9,
    type: 'application/zip',
    signature: 'signed',
    installation_type: 'package',
  },
  deltas: [patch, { ...patch, from_build: '1.5' }],
});

describe('the XML of an appcast', () => {
  test('a feed in XML reads back as the items that it was made of', () => {
    expect(readAppcast(write(full, anItem('1')))).toEqual([full, anItem('1')]);
  });

  test('a feed in XML is RSS 2.0 with Sparkle’s namespace, dates with an offset and no empty attribute', () => {
    const xml = write(full, anItem('1'));
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<rss version="2.0" /);
    expect(xml).toContain('xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"');
    expect(xml).toContain('<pubDate>Thu, 05 Mar 2026 01:02:03 +0000</pubDate>');
    expect(xml).not.toMatch(/undefined|null|=""/);
  });

  test('a feed in XML marks an update that is critical or informational for every build by an empty element', () => {
    const every = { versions: [], below_version: null };
    const item = anItem('2', { critical: { below_version: null }, informational: every, link: 'https://x' });
    const xml = write(item);
    expect(xml).toContain('<sparkle:criticalUpdate/>');
    expect(xml).toContain('<sparkle:informationalUpdate/>');
    expect(readAppcast(xml)).toEqual([item]);
  });

  test('a feed without items is an empty channel', () => {
    expect(readAppcast(write())).toEqual([]);
  });

  test.each([
    ['the end of a CDATA section', ']]><script>alert(1)</script>'],
    ['markup', '</description><enclosure url="https://evil.example.com"/>'],
    ['entities', '&lt; &amp;amp; &#0; &nope;'],
    ['quotes', `"' onload="`],
    ['a document type', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;'],
    ['true', 'true'],
    ['spaces and lines', 'one  two\n three'],
    ['characters beyond 16 bits', '🎉 새로움'],
  ])('a feed in XML keeps %s as text', (_, hostile) => {
    const item = anItem('2', { short_version: hostile, notes: [{ locale: 'en', html: hostile }] });
    const xml = write({ ...item, enclosure: { ...item.enclosure, url: `https://x/${hostile}` } });
    expect(readAppcast(xml)).toMatchObject([{ version: '2', short_version: hostile, notes: [{ html: hostile }] }]);
    expect(xml.match(/<enclosure /g)).toHaveLength(1);
  });

  test('a feed in XML leaves out the characters that XML cannot contain', () => {
    const xml = write(anItem('2', { short_version: 'a\u0000b\u0007c\u001bd\ufffee\ud800f' }));
    expect(readAppcast(xml)[0]?.short_version).toBe('abcdef');
  });
});
