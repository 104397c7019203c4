import { describe, expect, test } from 'vitest';
import { type CaptureReaders, readCapture, styleSheetsOf } from '../../../../application/design/collect/replay-run.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { Capture, RunAsset } from '../../../../domain/design/collect/capture.ts';
import { ok, refuse } from '../../../../domain/shared/outcome.ts';
import type { ReadPage } from '../../../../ports/outbound/design/collect.ts';
import { aCapture } from '../../../support/replay-fakes.ts';

const MEBIBYTE = 1_048_576;
const file = (sha256: string, size = 1) => ({ sha256, size });
const image = (size = 1) => ({ ...file('image', size), type: 'image/png', width: 1, height: 1 }) as const;

const PAGE: ReadPage = {
  title: null,
  text: '',
  elements: {},
  colors: [],
  fonts: [],
  html: new Uint8Array(1),
  styles: [],
  missing: [],
};

/** Readers for which every stored file has one byte, and every page and image is valid. */
const readers = (more: { lost?: readonly string[]; page?: Partial<ReadPage> } = {}): CaptureReaders => ({
  designFiles: {
    read: async ({ sha256 }) => (more.lost?.includes(sha256) ? undefined : new Uint8Array(1)),
    keep: async () => file('kept'),
  },
  pageReader: { sheets: async () => ok([]), read: async () => ok({ ...PAGE, ...more.page }) },
  imageReader: {
    measure: () => ({ type: 'image/png', width: 1, height: 1 }),
    thumbnail: async () => ok({ bytes: new Uint8Array(1), sha256: 'thumbnail', width: 1, height: 1 }),
  },
});

const problemsOf = async (given: Partial<Capture>, with_ = readers()) => {
  const { draft, problems } = await readCapture(with_, grantPermit(), aCapture(1, given), []);
  return [draft !== null, ...problems.map(({ code, message }) => `${code}: ${message}`)];
};

describe('a capture', () => {
  test('the image of a capture has at most 30 MiB', async () => {
    expect(await problemsOf({ image: image(30 * MEBIBYTE) })).toEqual([true]);
    expect(await problemsOf({ image: image(30 * MEBIBYTE + 1) })).toEqual([
      false,
      'image_refused: The image is larger than 30 MiB.',
    ]);
  });

  test('the HTML of a capture has at most 10 MiB, and a larger one gives a screen without a page', async () => {
    expect(await problemsOf({ image: image(), html: file('html', 10 * MEBIBYTE) })).toEqual([true]);
    expect(await problemsOf({ image: image(), html: file('html', 10 * MEBIBYTE + 1) })).toEqual([
      true,
      'page_refused: The screen has no saved page: The HTML is larger than 10 MiB.',
    ]);
  });

  test('an image that can’t be resized is refused, with the reason if known', async () => {
    for (const [message, told] of [
      ['Too deep.', 'Too deep.'],
      [undefined, 'The image cannot be read.'],
    ] as const) {
      const imageReader = {
        ...readers().imageReader,
        thumbnail: async () => refuse('image_refused', message ? { message } : {}),
      };
      expect(await problemsOf({ image: image() }, { ...readers(), imageReader })).toEqual([
        false,
        `image_refused: ${told}`,
      ]);
    }
  });

  test('a page that can’t be read is refused, with the reason if known', async () => {
    for (const [message, told] of [
      ['Too deep.', 'Too deep.'],
      [undefined, 'The page cannot be read.'],
    ] as const) {
      const pageReader = {
        ...readers().pageReader,
        read: async () => refuse('page_refused', message ? { message } : {}),
      };
      expect(await problemsOf({ image: image(), html: file('html') }, { ...readers(), pageReader })).toEqual([
        true,
        `page_refused: The screen has no saved page: ${told}`,
      ]);
    }
  });

  test('files that were never uploaded are reported', async () => {
    expect(await problemsOf({ image: image() }, readers({ lost: ['image'] }))).toEqual([
      false,
      'image_missing: The image of the capture was never uploaded.',
    ]);
    expect(await problemsOf({ image: image(), html: file('html') }, readers({ lost: ['html'] }))).toEqual([
      true,
      'page_refused: The screen has no saved page: Its HTML was never uploaded.',
    ]);
  });

  test('a failed capture makes no screen and shows the collector’s message or a default one', async () => {
    expect(await problemsOf({ outcome: 'failed', message: 'Timeout', image: image() })).toEqual([
      false,
      'capture_failed: Timeout',
    ]);
    expect(await problemsOf({ outcome: 'failed', image: image() })).toEqual([
      false,
      'capture_failed: The collector reported a failure.',
    ]);
  });

  test('three missing style sheets are named, and the others are counted', async () => {
    const told = async (missing: readonly string[]) =>
      (await problemsOf({ image: image(), html: file('html') }, readers({ page: { missing } })))[1];
    const said = 'asset_missing: The page loads style sheets that the run lacks:';
    expect(await told(['a', 'b', 'c'])).toBe(`${said} a, b, c.`);
    expect(await told(['a', 'b', 'c', 'd'])).toBe(`${said} a, b, c and 1 more.`);
    expect(await told(['a'.repeat(300)])).toBe(`${said} ${'a'.repeat(300)}.`);
    expect(await told(['a'.repeat(301)])).toBe(`${said} ${'a'.repeat(300)}….`);
  });
});

describe('the style sheets of a page', () => {
  const sheet = (url: string, size: number): RunAsset => ({ url, type: 'css', sha256: url, size });
  const found = async (
    assets: readonly RunAsset[],
    addresses: readonly string[],
    most: number,
    listed: Capture['assets'] = null,
  ) => {
    const designFiles = {
      read: async ({ size }: { size: number }) => new Uint8Array(size),
      keep: async () => file('kept'),
    };
    const capture = { url: 'https://shop.example/orders', final_url: null, assets: listed };
    const styles = await styleSheetsOf(designFiles, { capture, assets, addresses, most });
    return styles.map(({ url }) => url);
  };
  const [A, B] = ['https://shop.example/a.css', 'https://shop.example/b.css'];

  test('style sheets are inlined as far as they fit the limit', async () => {
    expect(await found([sheet(A, 4), sheet(B, 6)], [A, B], 10)).toEqual([A, B]);
    expect(await found([sheet(A, 4), sheet(B, 7)], [A, B], 10)).toEqual([A]);
    expect(await found([sheet(A, 11), sheet(B, 7)], [A, B], 10)).toEqual([B]);
  });

  test('style sheets are found by their full URLs without fragments, and invalid URLs are skipped', async () => {
    expect(await found([sheet('/a.css#top', 1), sheet('https://', 1)], [A, B], 10)).toEqual([A]);
    expect(await found([{ ...sheet(A, 1), type: 'image' as never }], [A], 10)).toEqual([]);
  });

  test('only the style sheets that a capture lists count, if it lists any', async () => {
    expect(await found([sheet(A, 1), sheet(B, 1)], [A, B], 10, [{ url: 'b.css', sha256: B }])).toEqual([B]);
    expect(await found([sheet(A, 1)], [A], 10, [{ url: 'a.css', sha256: 'other' }])).toEqual([]);
  });
});
