import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { APPS, LANGS, VIEWPORTS } from '../../domain/design/collect/run.ts';
import { NO_FILTER, type ScreenDraft, type ScreenFilter } from '../../domain/design/gallery/screen.ts';
import type { Gallery, GalleryEditor } from '../../ports/outbound/design/gallery.ts';
import { expectSame, PlainGallery } from '../support/gallery/plain-gallery.ts';
import { aDraft, keyOfCapture } from '../support/screen-builders.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();

/** More screens than the gallery saves at a time. */
const MANY = 30;

const nth = <T>(values: readonly T[], n: number): T => values[n % values.length] as T;

/** A screen whose properties depend on its number, so that filters match different ones. */
const screenNumber = (n: number, overrides: Partial<ScreenDraft> = {}): ScreenDraft =>
  aDraft({
    key: keyOfCapture(n),
    title: `Order ${n} 주문 ${n % 3 === 0 ? '결제' : '목록'}`,
    url: `https://example.com/orders/${n}`,
    app: nth(APPS, n % 2),
    flow: { slug: `flow-${n % 4}`, name: `Flow ${n % 4}` },
    step: n % 5 === 0 ? null : n % 5,
    viewport: nth(VIEWPORTS, n),
    lang: nth(LANGS, Math.floor(n / 2)),
    kind: nth(['list', 'detail', 'form'], n),
    patterns: n % 2 === 0 ? ['search'] : ['dialog', 'tabs'],
    ...overrides,
  });

const screens = (count: number, overrides: Partial<ScreenDraft> = {}): ScreenDraft[] =>
  Array.from({ length: count }, (_, n) => screenNumber(n + 1, overrides));

const FILTERS: readonly ScreenFilter[] = [
  NO_FILTER,
  { ...NO_FILTER, viewport: 'mobile' },
  { ...NO_FILTER, kind: 'list', lang: 'ko' },
  { ...NO_FILTER, patterns: ['dialog', 'tabs'] },
  { ...NO_FILTER, q: '결제' },
  { ...NO_FILTER, q: 'order 7' },
  { ...NO_FILTER, q: 'moved' },
  { ...NO_FILTER, app: nth(APPS, 1), flow: 'flow-3' },
  { ...NO_FILTER, kind: 'unknown' },
];

/**
 * Registers the tests that every implementation of Gallery and GalleryEditor must pass. `open` returns an empty gallery
 * and two editors of it; it is called before each test.
 */
export const galleryContract = (
  name: string,
  open: () => Promise<{ readonly gallery: Gallery; readonly editors: readonly [GalleryEditor, GalleryEditor] }>,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as a gallery`, { timeout }, () => {
    let gallery: Gallery;
    let editor: GalleryEditor;
    let other: GalleryEditor;
    let plain: PlainGallery;
    beforeEach(async () => {
      const opened = await open();
      gallery = opened.gallery;
      [editor, other] = opened.editors;
      plain = new PlainGallery();
    }, timeout);

    const save = (drafts: readonly ScreenDraft[]) => {
      plain.save(drafts);
      return editor.save(PERMIT, drafts);
    };

    test('a search returns the same screens as a filter over all screens', async () => {
      expect(await save(screens(MANY))).toEqual({ added: MANY, changed: 0, unchanged: 0 });
      await expectSame(gallery, plain, FILTERS);
    });

    test('saving the same screens twice changes nothing', async () => {
      await save(screens(MANY));
      expect(await save(screens(MANY))).toEqual({ added: 0, changed: 0, unchanged: MANY });
      await expectSame(gallery, plain, FILTERS);
    });

    test('a screen of a later run replaces the earlier one, and never the reverse', async () => {
      await save(screens(4, { run_id: 2 }));
      const moved = { title: 'Moved', app: nth(APPS, 3), viewport: nth(VIEWPORTS, 0), patterns: ['search'] };
      expect(await save([screenNumber(2, { run_id: 1, ...moved })])).toMatchObject({ unchanged: 1 });
      await expectSame(gallery, plain, FILTERS);
      expect(await save([screenNumber(2, { run_id: 3, ...moved })])).toMatchObject({ changed: 1 });
      await expectSame(gallery, plain, FILTERS);
    });

    test('of two editors that save different screens at once, neither loses one', async () => {
      const drafts = screens(8);
      const saved = await Promise.all([editor.save(PERMIT, drafts.slice(0, 4)), other.save(PERMIT, drafts.slice(4))]);
      expect(saved.map(({ added }) => added)).toEqual([4, 4]);
      const all = await gallery.search(NO_FILTER, 'oldest', { page: 1, per_page: 100 });
      expect(all.entries.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(all.entries.map(({ url }) => url).sort()).toEqual(drafts.map(({ url }) => url).sort());
      for (const kind of ['list', 'detail', 'form']) {
        const { total } = await gallery.search({ ...NO_FILTER, kind }, 'newest', { page: 1, per_page: 1 });
        expect(total).toBe(drafts.filter((draft) => draft.kind === kind).length);
      }
    });

    test('the taxonomy has the numbers of the last recount', async () => {
      await save(screens(MANY));
      await editor.recount(PERMIT);
      const { page_types, patterns } = await gallery.taxonomy();
      const counted = (list: readonly { key: string; screens: number }[], key: string) =>
        list.find((one) => one.key === key)?.screens;
      expect(counted(page_types, 'list')).toBe(plain.ids({ ...NO_FILTER, kind: 'list' }).length);
      expect(counted(patterns, 'search')).toBe(plain.ids({ ...NO_FILTER, patterns: ['search'] }).length);
    });
  });
};
