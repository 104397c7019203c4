import { describe, expect, test } from 'vitest';
import { appcastOf, type FeedInput, isInFeed, notesHtml } from '../../../domain/delivery/appcast.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import { NO_TERMS } from '../../../domain/delivery/sparkle-terms.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { anApp, anArtifact, aRelease, NOW } from '../../support/builders.ts';

const feedOf = (releases: readonly Release[], input: Partial<FeedInput> = {}) =>
  appcastOf(
    anApp({ name: { en: 'Notes', ko: '메모' } }),
    releases,
    { channel: null, updates_until: null, now: NOW, ...input },
    'https://app.example.com/appcast.xml',
    ({ id }, { platform }, delta) => `https://app.example.com/${id}/${platform}/${delta?.from_build ?? 'whole'}`,
  );
const itemsOf = (releases: readonly Release[], input: Partial<FeedInput> = {}) => feedOf(releases, input).items;

const stable = aRelease({ id: 1, version: '1.0', build: '100', released_at: addDays(NOW, -30) });
const beta = aRelease({ id: 2, version: '1.1b1', build: '109', channel: 'beta', released_at: addDays(NOW, -20) });
const dev = aRelease({ id: 3, version: '1.2d1', build: '111', channel: 'dev', released_at: addDays(NOW, -10) });
const all = [beta, stable, dev];
const versions = (items: ReturnType<typeof itemsOf>) => items.map(({ version, channel }) => [version, channel]);

describe('a feed', () => {
  test('the feed has the English title of a product that has one', () => {
    expect(feedOf(all)).toMatchObject({ title: 'Notes', language: 'en', link: 'https://app.example.com/appcast.xml' });
  });

  test('the feed of all channels lists the newest build first and names the channel of every item that is not stable', () => {
    expect(versions(itemsOf(all))).toEqual([
      ['111', 'dev'],
      ['109', 'beta'],
      ['100', null],
    ]);
  });

  test.each([
    ['stable', ['100']],
    ['beta', ['109', '100']],
    ['alpha', ['109', '100']],
    ['dev', ['111', '109', '100']],
  ] as const)('the feed of the channel %s has its releases and those of every more stable channel, and names no channel', (channel, builds) => {
    expect(versions(itemsOf(all, { channel }))).toEqual(builds.map((build) => [build, null]));
  });

  test('the feed has no release from after the end of the update window', () => {
    const until = (days: number) => itemsOf(all, { updates_until: addDays(NOW, days) }).map(({ version }) => version);
    expect(until(-20)).toEqual(['109', '100']);
    expect(until(-21)).toEqual(['100']);
    expect(until(-31)).toEqual([]);
  });

  test('the feed leaves out releases without a build, releases without a file for macOS and withdrawn ones', () => {
    const left = [
      { ...stable, build: null },
      { ...beta, artifacts: [anArtifact({ platform: 'linux-amd64' })] },
      { ...dev, withdrawn: { at: NOW, reason: 'It loses notes.' } },
    ];
    expect(itemsOf(left)).toEqual([]);
    expect([...left, stable].map(isInFeed)).toEqual([false, false, false, true]);
  });

  test('the feed orders builds as numbers and not as text', () => {
    const builds = ['9', '10', '9.1', '100'].map((build, id) => aRelease({ id, version: `1.${id}`, build }));
    expect(itemsOf(builds).map(({ version }) => version)).toEqual(['100', '10', '9.1', '9']);
  });
});

describe('the file of an item', () => {
  const arm = anArtifact({ platform: 'darwin-arm64', filename: 'arm.zip' });
  const intel = anArtifact({ platform: 'darwin-amd64', filename: 'intel.zip' });
  const files = (artifacts: Release['artifacts']) =>
    itemsOf([{ ...stable, artifacts }]).map(({ enclosure, requires_arm64 }) => [enclosure.url, requires_arm64]);

  test('an item has the universal file if the release has one', () => {
    expect(files([arm, anArtifact(), intel])).toEqual([['https://app.example.com/1/null/whole', false]]);
  });

  test('a release without a universal file has one item per architecture, with the one that requires Apple silicon first', () => {
    expect(files([intel, arm])).toEqual([
      ['https://app.example.com/1/darwin-arm64/whole', true],
      ['https://app.example.com/1/darwin-amd64/whole', false],
    ]);
    expect(files([intel, anArtifact({ platform: 'linux-amd64' })])).toEqual([
      ['https://app.example.com/1/darwin-amd64/whole', false],
    ]);
  });

  test('an item carries the length, type and signature of its file and of each patch', () => {
    const patch = { from_build: '90', filename: '90.delta', sha256: '1'.repeat(64), size: 7, signature: 'p' };
    const [item] = itemsOf([{ ...stable, artifacts: [anArtifact({ size: 9, signature: 's', deltas: [patch] })] }]);
    expect(item?.enclosure).toMatchObject({
      length: 9,
      type: 'application/zip',
      signature: 's',
      installation_type: null,
    });
    expect(item?.deltas).toEqual([
      {
        from_build: '90',
        url: 'https://app.example.com/1/null/90',
        length: 7,
        type: 'application/octet-stream',
        signature: 'p',
        installation_type: null,
      },
    ]);
  });

  test('an item marks a bare installer package, which Sparkle cannot tell from the download URL', () => {
    const [item] = itemsOf([{ ...stable, artifacts: [anArtifact({ filename: 'App.pkg', format: 'pkg' })] }]);
    expect(item?.enclosure.installation_type).toBe('package');
    const [multiple] = itemsOf([{ ...stable, artifacts: [anArtifact({ filename: 'App.mpkg', format: 'bin' })] }]);
    expect(multiple?.enclosure.installation_type).toBe('package');
  });

  test.each(['package', 'interactive-package'] as const)('an item marks an archive with a package as %s', (type) => {
    const deltas = [{ from_build: '90', filename: '90.delta', sha256: '1'.repeat(64), size: 7, signature: 'p' }];
    const [item] = itemsOf([{ ...stable, artifacts: [anArtifact({ installation_type: type, deltas })] }]);
    expect([item?.enclosure.installation_type, item?.deltas[0]?.installation_type]).toEqual([type, null]);
  });
});

test('an item names system versions in three parts', () => {
  const sparkle = { ...NO_TERMS, minimum_system_version: '13', maximum_system_version: '15.2' };
  expect(itemsOf([{ ...stable, sparkle }])).toMatchObject([
    { minimum_system_version: '13.0.0', maximum_system_version: '15.2.0' },
  ]);
});

describe('release notes', () => {
  const noted = { ...stable, notes_en: '- New', notes_ko: '- 새' };

  test('an item has release notes in each language that the release has them in', () => {
    expect(itemsOf([noted])[0]?.notes).toEqual([
      { locale: 'en', html: '<ul><li>New</li></ul>' },
      { locale: 'ko', html: '<ul><li>새</li></ul>' },
    ]);
    expect(itemsOf([{ ...noted, notes_en: null }])[0]?.notes.map(({ locale }) => locale)).toEqual(['ko']);
  });

  test('an item has no release notes in a language whose notes are blank', () => {
    expect(itemsOf([{ ...noted, notes_en: ' \n\t' }])[0]?.notes).toEqual([
      { locale: 'ko', html: '<ul><li>새</li></ul>' },
    ]);
  });

  test('an item that links to a page of release notes has no notes of its own', () => {
    const sparkle = { ...NO_TERMS, release_notes_link: { ko: 'https://example.com/ko' } };
    const [item] = itemsOf([{ ...noted, sparkle }]);
    expect([item?.notes, item?.notes_links]).toEqual([[], [{ locale: 'ko', url: 'https://example.com/ko' }]]);
  });

  test.each([
    ['One line.', '<p>One line.</p>'],
    ['One\nTwo', '<p>One<br>Two</p>'],
    ['One\r\n\r\nTwo\n\n\n', '<p>One</p><p>Two</p>'],
    ['New:\n- a\n* b\nAnd so on', '<p>New:</p><ul><li>a</li><li>b</li></ul><p>And so on</p>'],
    ['- a\n\n- b', '<ul><li>a</li></ul><ul><li>b</li></ul>'],
    ['-no list', '<p>-no list</p>'],
    ['', ''],
    ['\n \n', ''],
    ['<script>alert("1")</script> & ]]>', '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; ]]&gt;</p>'],
  ])('the notes %j become the HTML %s', (notes, html) => {
    expect(notesHtml(notes)).toBe(html);
  });
});
