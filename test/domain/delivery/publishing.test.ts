import { describe, expect, test } from 'vitest';
import type { Publication } from '../../../domain/delivery/publication.ts';
import {
  artifactAsPublished,
  judgePublication,
  signedArtifact,
  unsignedArtifact,
  versionToPublish,
} from '../../../domain/delivery/publishing.ts';
import { type Artifact, formatOf } from '../../../domain/delivery/release.ts';
import { hasContent } from '../../../domain/delivery/supply.ts';
import { sparkleOrder } from '../../../domain/delivery/version-order.ts';
import { anApp, anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';
import { aContent } from '../../support/public-builders.ts';

const ORDER = sparkleOrder();
const sum = (digit: string) => digit.repeat(64);
const PATCH = { from_build: '1', filename: 'a.delta', sha256: sum('2'), size: 2 };

test('a version is already published if a release of equal rank exists', () => {
  const released = [aRelease({ version: '1.2' })];
  expect(versionToPublish('v1.2', released, ORDER)).toBe('1.2');
  expect(versionToPublish('1.2.0', released, ORDER)).toBe('1.2');
  expect(versionToPublish('1.3', released, ORDER)).toBe('1.3');
  expect(versionToPublish('', released, ORDER)).toBeUndefined();
});

describe('an artifact to publish', () => {
  const file = { filename: 'app.zip', sha256: sum('1'), size: 1 };
  const signedAs = (signature: string) => ({ signature, signed_by: 'a key' });

  test('an artifact to publish starts without signature and patches', () => {
    const unsigned = unsignedArtifact('darwin-arm64', file, []);
    expect(unsigned).toEqual({ platform: 'darwin-arm64', ...file, format: 'zip', signature: null });
    expect(signedArtifact(unsigned, signedAs('signed'), [])).toEqual({ ...unsigned, ...signedAs('signed') });
  });

  test('an artifact to publish is signed with its patches in order', () => {
    const patches = [PATCH, { ...PATCH, from_build: '2', sha256: sum('3') }];
    const signed = signedArtifact(unsignedArtifact('darwin-arm64', file, patches), signedAs('whole'), [
      signedAs('one'),
      signedAs('two'),
    ]);
    expect(signed.deltas?.map(({ from_build, signature }) => [from_build, signature])).toEqual([
      ['1', 'one'],
      ['2', 'two'],
    ]);
  });

  test('an artifact that was already published keeps its name and signature', () => {
    const before = anArtifact({ filename: 'first.zip', signature: 'first' });
    const published = { release: aRelease({ artifacts: [before] }), result: 'unchanged' as const };
    expect(artifactAsPublished(published, anArtifact({ filename: 'again.zip' }))).toBe(before);
  });
});

describe('a publication', () => {
  const input: Publication = {
    product_id: 1,
    version: '2.0.0',
    channel: null,
    build: null,
    notes_en: null,
    notes_ko: null,
    released_at: null,
    sparkle: {},
    artifact: anArtifact({ platform: 'darwin-arm64', filename: 'app.zip' }),
  };
  const fresh = { id: 5, released_at: NOW };
  const none = { before: undefined, released: [] };

  test('a publication creates a release for a new version', () => {
    expect(judgePublication(aProduct(), input, none, fresh, ORDER)).toMatchObject({
      value: {
        result: 'created',
        release: { id: 5, version: '2.0.0', channel: 'stable', artifacts: [input.artifact] },
      },
    });
  });

  test('a publication never replaces a published file', () => {
    const before = aRelease({
      version: '2.0.0',
      artifacts: [anArtifact({ platform: 'darwin-arm64', sha256: sum('9') })],
    });
    expect(judgePublication(aProduct(), input, { before, released: [before] }, fresh, ORDER)).toMatchObject({
      code: 'version_exists',
    });
  });

  const published = aRelease({ version: '2.0.0', artifacts: [input.artifact] });
  const again = (more: Partial<Publication>, before = published) =>
    judgePublication(aProduct(), { ...input, ...more }, { before, released: [before] }, fresh, ORDER);

  test('a repeated publication changes nothing', () => {
    expect(again({})).toEqual({ ok: true, value: { release: published, result: 'unchanged' } });
    expect(again({ channel: published.channel, released_at: published.released_at })).toMatchObject({
      value: { result: 'unchanged' },
    });
  });

  test('a publication adds missing notes and never changes existing ones', () => {
    const noted = again({ notes_en: 'New' }, { ...published, notes_en: null });
    expect(noted).toMatchObject({ value: { result: 'notes_added', release: { notes_en: 'New' } } });
    expect(again({ notes_en: 'New' }, { ...published, notes_en: 'Old' })).toMatchObject({
      code: 'release_differs',
      message: /English notes Old/,
    });
  });

  test.each([
    ['another channel', { channel: 'beta' }, /channel stable/],
    ['a build, where it has none', { build: '7' }, /build none/],
    ['another moment', { released_at: NOW }, /release moment/],
    ['other terms', { sparkle: { link: 'https://example.com' } }, /other terms for Sparkle/],
    [
      'an installation type, where it has none',
      { artifact: { ...anArtifact({ platform: 'darwin-arm64', filename: 'app.zip' }), installation_type: 'package' } },
      /the installation type none/,
    ],
  ] as const)('a publication is refused with %s', (_, more, message) => {
    expect(again(more as Partial<Publication>)).toMatchObject({ code: 'release_differs', message });
  });

  test.each([
    ['from another build is added', { from_build: '2', sha256: sum('3') }, { result: 'patches_added' }],
    ['from another build may have equal bytes', { from_build: '2' }, { result: 'patches_added' }],
    ['that is there already changes nothing', {}, { result: 'unchanged' }],
    ['from the same build with other bytes is refused', { sha256: sum('3') }, 'version_exists'],
  ])('a patch %s', (_, patch, expected) => {
    const patched = (more: object): Artifact => ({
      ...input.artifact,
      deltas: [{ ...PATCH, signature: 's', ...more }],
    });
    const judged = again({ artifact: patched(patch) }, { ...published, artifacts: [patched({})] });
    expect(judged.ok ? judged.value : judged.code).toEqual(
      typeof expected === 'string' ? expected : expect.objectContaining(expected),
    );
  });

  test('a publication of an application needs the fields that its appcast needs', () => {
    expect(judgePublication(anApp(), input, none, fresh, ORDER)).toMatchObject({ code: 'build_required' });
  });
});

test('a product has content if its page has text, a picture, a video or a file', () => {
  const none = { ...aContent(), detail_html: null, gallery: [], videos: [], assets: [] };
  const one = [{}] as never;
  expect([undefined, none].map((content) => hasContent(content))).toEqual([false, false]);
  const some = [{ detail_html: { en: 'Text' } }, { gallery: one }, { videos: one }, { assets: one }];
  expect(some.map((more) => hasContent({ ...none, ...more }))).toEqual([true, true, true, true]);
  expect(hasContent({ ...none, gallery: one, videos: one, assets: one })).toBe(true);
});

test.each([
  ['App.tar.gz', 'tar.gz'],
  ['App.TGZ', 'tar.gz'],
  ['App.zip', 'zip'],
  ['App.vsix', 'vsix'],
  ['App.dmg', 'dmg'],
  ['App.pkg', 'pkg'],
  ['Setup.exe', 'exe'],
  ['Setup.msi', 'msi'],
  ['App', 'bin'],
])('the file %s has the format %s', (filename, format) => {
  expect(formatOf(filename)).toBe(format);
});
