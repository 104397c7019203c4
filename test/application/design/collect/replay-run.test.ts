import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { storedDesignFiles } from '../../../../adapters/design/pages/design-files.ts';
import { readPage, sheetsOf } from '../../../../adapters/design/pages/html/read-page.ts';
import { thumbnailOf } from '../../../../adapters/design/pages/images/thumbnail.ts';
import { replayRun } from '../../../../application/design/collect/replay-run.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { Capture } from '../../../../domain/design/collect/capture.ts';
import { imageHead } from '../../../../domain/shared/image-head.ts';
import { millis, toInstant } from '../../../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../../../domain/shared/outcome.ts';
import { designObjectKey, SHEET_START, type StoredImage } from '../../../../domain/shared/stored-file.ts';
import type { ImageReader, PageReader } from '../../../../ports/outbound/design/collect.ts';
import type { Clock } from '../../../../ports/outbound/system.ts';
import { NOW } from '../../../support/builders.ts';
import { aClock } from '../../../support/fakes.ts';
import { aPng } from '../../../support/images.ts';
import { memoryEngines } from '../../../support/memory-engines.ts';
import { aCapture, aRun, DraftGallery, OneCollectRun } from '../../../support/replay-fakes.ts';

/** The result of running the work here instead of in a thread; what it throws becomes a refusal. */
const outcomeOf = async <T, R extends string>(code: R, work: () => T | Promise<T>): Promise<Outcome<T, R>> => {
  try {
    return ok(await work());
  } catch (error) {
    return refuse(code, { message: String(error) }) as Outcome<T, R>;
  }
};

const pageReader: PageReader = {
  sheets: (page) => outcomeOf('page_refused', () => sheetsOf(page)),
  read: (page) => outcomeOf('page_refused', () => readPage(page)),
};
const imageReader: ImageReader = {
  measure: imageHead,
  thumbnail: (image) => outcomeOf('image_refused', () => thumbnailOf(image)),
};

const permit = grantPermit();
const forever = async () => true;
const { objects } = memoryEngines();
const files = storedDesignFiles({ objects });
const image: StoredImage = {
  ...(await files.keep(permit, await aPng(64, 32))),
  type: 'image/png',
  width: 64,
  height: 32,
};
const htmlOf = (text: string) => files.keep(permit, new TextEncoder().encode(text));
const kept = async (sha256 = '') => {
  const found = await objects.open(designObjectKey(sha256));
  return found ? (await buffer(found.stream)).toString() : undefined;
};

let one: OneCollectRun;
let gallery: DraftGallery;
const replay = (keep = forever, given: { imageReader?: ImageReader; clock?: Clock } = {}) =>
  replayRun({
    collectRuns: one.collectRuns,
    galleryEditor: gallery,
    designFiles: files,
    pageReader,
    imageReader,
    clock: aClock(),
    ...given,
  })(permit, 7, keep);
const capture = (given: Partial<Capture> = {}) => {
  one.captured.push(aCapture(one.captured.length + 1, { image, ...given }));
};
const drafts = () => [...gallery.drafts.values()];

beforeEach(() => {
  one = new OneCollectRun();
  gallery = new DraftGallery();
});

describe('the replay of a run', () => {
  test('a replayed run has a screen for each capture, in order, in batches of ten', async () => {
    for (let i = 0; i < 23; i++) capture();
    await replay();
    expect(drafts().map(({ key }) => Number(key.replaceAll('k', '')))).toEqual(
      Array.from({ length: 23 }, (_, i) => i + 1),
    );
    expect(gallery.batches).toEqual([10, 10, 3]);
    expect([one.run.state, one.run.ended_at, gallery.recounts]).toEqual(['replayed', NOW, 1]);
    expect(one.run.replay).toEqual({
      total: 23,
      done: 23,
      screens_added: 23,
      screens_changed: 0,
      screens_unchanged: 0,
      skipped: 0,
      problems: 0,
    });
  });

  test('a replay saves sooner if reading is slow, so a stopped worker loses little', async () => {
    const clock = aClock();
    const slow: ImageReader = {
      ...imageReader,
      thumbnail: (bytes) => {
        clock.at = toInstant(millis(clock.at) + 9000);
        return imageReader.thumbnail(bytes);
      },
    };
    for (let i = 0; i < 7; i++) capture();
    await replay(forever, { imageReader: slow, clock });
    expect(gallery.batches).toEqual([3, 3, 1]);
    expect(one.run).toMatchObject({ state: 'replayed', replay: { done: 7, screens_added: 7 } });
  });

  test('a replay renews its job every few seconds while it reads, and stops if another worker has the job', async () => {
    for (let i = 0; i < 3; i++) capture();
    const clock = aClock();
    const slow = (ms: number): ImageReader => ({
      ...imageReader,
      thumbnail: (bytes) => {
        clock.at = toInstant(millis(clock.at) + ms);
        return imageReader.thumbnail(bytes);
      },
    });
    const asked: (string | undefined)[] = [];
    const keep = async (what?: string) => asked.push(what) > 0;
    await replay(keep as never, { imageReader: slow(14_999), clock });
    const often = asked.length;
    one.run = { ...one.run, state: 'submitted', replay: null };
    asked.length = 0;
    await replay(keep as never, { imageReader: slow(15_000), clock });
    expect(asked.length).toBeGreaterThan(often);
    one.run = { ...one.run, state: 'submitted', replay: null };
    let turns = 0;
    await replay(async () => ++turns < 2, { imageReader: slow(15_000), clock });
    expect(one.run).toMatchObject({ state: 'replaying', replay: { done: 0 } });
  });

  test('a replay ends a batch after twenty seconds of reading', async () => {
    for (const [ms, batches] of [
      [19_999, [2, 1]],
      [20_000, [1, 1, 1]],
    ] as const) {
      [one, gallery] = [new OneCollectRun(), new DraftGallery()];
      for (let i = 0; i < 3; i++) capture();
      const clock = aClock();
      const thumbnail: ImageReader['thumbnail'] = (bytes) => {
        clock.at = toInstant(millis(clock.at) + ms);
        return imageReader.thumbnail(bytes);
      };
      await replay(forever, { imageReader: { ...imageReader, thumbnail }, clock });
      expect(gallery.batches).toEqual(batches);
    }
  });

  test('a replay adds up the changes of its batches', async () => {
    for (let i = 0; i < 12; i++) capture();
    await replay();
    one.run = { ...one.run, state: 'submitted', replay: null };
    one.captured.splice(0, 12, ...one.captured.map((old) => ({ ...old, http_status: 201, url: `${old.url}/new` })));
    await replay();
    expect(one.run.replay).toMatchObject({ done: 12, screens_added: 0, screens_changed: 12, screens_unchanged: 0 });
  });

  test('a run without captures is replayed at once', async () => {
    await replay();
    expect(one.run).toMatchObject({ state: 'replayed', replay: { total: 0, done: 0 } });
  });

  test.each(['collecting', 'replayed', 'failed'] as const)('a run in state %s is not replayed', async (state) => {
    one = new OneCollectRun(aRun({ state }));
    capture();
    await replay();
    expect([one.run, drafts()]).toEqual([aRun({ state }), []]);
  });

  test('a repeated replay makes the same drafts and files', async () => {
    capture({ html: await htmlOf('<title>Orders</title><style>a{color:red}</style><table><p>x') });
    await replay();
    const first = JSON.stringify(drafts());
    one.run = { ...one.run, state: 'submitted', replay: null };
    await replay();
    expect(JSON.stringify(drafts())).toBe(first);
    expect(one.run.replay).toMatchObject({ screens_added: 0, screens_changed: 0, screens_unchanged: 1 });
  });
});

describe('a replay that is interrupted', () => {
  test('an interrupted replay continues after its last batch', async () => {
    for (let i = 0; i < 25; i++) capture();
    let calls = 0;
    await replay(async () => ++calls <= 3);
    expect([one.run.state, one.run.replay?.done, gallery.batches]).toEqual(['replaying', 10, [10]]);
    await replay();
    expect([one.run.state, one.run.replay?.done, gallery.batches]).toEqual(['replayed', 25, [10, 10, 5]]);
    expect(one.run.replay).toMatchObject({ screens_added: 25, screens_unchanged: 0 });
  });

  test('an interrupted replay writes nothing more once its job is lost', async () => {
    capture();
    await replay(async () => false);
    expect([one.run.state, drafts(), gallery.recounts, one.reported.size]).toEqual(['replaying', [], 0, 0]);
  });

  test('an interrupted replay stops without an error if another worker has written the run', async () => {
    for (let i = 0; i < 11; i++) capture();
    await replay(async () => {
      one.takenOver();
      return true;
    });
    expect([one.run.state, one.run.replay?.done, gallery.recounts]).toEqual(['replaying', 0, 0]);
  });
});

describe('a capture', () => {
  test('a capture becomes a screen with its saved page, thumbnail and facts', async () => {
    const sheet = await htmlOf('a{color:#123456;background:url(//x)}');
    one.stored.push({ ...sheet, type: 'css', url: 'https://shop.example/a.css' });
    const html = await htmlOf('<title>주문</title><link rel=stylesheet href=/a.css><script>1</script><table></table>');
    capture({ html, meta: { ...aCapture(1).meta, flow: '주문', step: 2, app: 'app', patterns: ['wizard'] } });
    await replay();
    const [draft] = drafts();
    expect(draft).toMatchObject({
      title: '주문',
      app: 'app',
      flow: { slug: '주문', name: '주문' },
      step: 2,
      kind: 'list',
      platform: 'web',
      mode: 'light',
      patterns: ['data-table', 'wizard'],
      components: ['table'],
      colors: [{ hex: '#123456', share: 1 }],
      image,
      captured_at: NOW,
    });
    expect(draft?.thumbnail).toMatchObject({ type: 'image/jpeg', width: 64, height: 32 });
    expect(await kept(draft?.thumbnail.sha256)).toBeDefined();
    const page = await kept(draft?.page?.sha256);
    expect(page).not.toContain('script');
    expect(await kept(/media\/([0-9a-f]{64})\.css/.exec(page ?? '')?.[1])).toBe(
      `${SHEET_START}a{color:#123456;background:none;}`,
    );
  });

  test('a capture counts only the style sheets that it lists', async () => {
    const [old, other] = [await htmlOf('a{color:red}'), await htmlOf('a{color:blue}')];
    const url = 'https://shop.example/a.css';
    one.stored.push({ ...old, type: 'css', url }, { ...other, type: 'css', url });
    const html = await htmlOf('<link rel=stylesheet href=/a.css>');
    capture({ html, assets: [{ url: '/a.css', sha256: old.sha256 }] });
    capture({ html, assets: [] });
    await replay();
    expect(drafts().map(({ colors }) => colors.map(({ hex }) => hex))).toEqual([['#ff0000'], []]);
    expect(one.problems()).toEqual(['2 asset_missing']);
    expect(one.reported.get(2)?.[0]?.message).toContain('https://shop.example/a.css');
  });

  test('a capture without a usable image makes no screen and counts as a problem', async () => {
    capture({ image: null });
    capture({ image: { ...image, sha256: 'a'.repeat(64) } });
    capture({ image: { ...image, ...(await htmlOf('no image')) } });
    capture({ image: { ...image, size: 40 * 1_048_576 } });
    await replay();
    expect(drafts()).toEqual([]);
    expect(one.problems()).toEqual(['1 image_missing', '2 image_missing', '3 image_refused', '4 image_refused']);
    expect(one.run.replay).toMatchObject({ done: 4, problems: 4, skipped: 0 });
  });

  test('a capture with a refused page makes a screen without a page', async () => {
    capture({ html: await htmlOf('<div>'.repeat(1000)) });
    capture({ html: { sha256: 'b'.repeat(64), size: 5 } });
    await replay();
    expect(drafts().map(({ page, title }) => [page, title])).toEqual([
      [null, '/orders/1'],
      [null, '/orders/2'],
    ]);
    expect(one.problems()).toEqual(['1 page_refused', '2 page_refused']);
    expect(one.reported.get(1)?.[0]?.message).toMatch(/^The screen has no saved page: .*512 elements\.$/);
  });

  test('a capture reported as failed or redirected is counted, and a failure is a problem', async () => {
    capture({ outcome: 'failed', message: 'Timed out.' });
    capture({ outcome: 'redirected' });
    await replay();
    expect(drafts()).toEqual([]);
    expect(one.reported.get(1)).toEqual([
      { capture: 1, key: aCapture(1).key, code: 'capture_failed', message: 'Timed out.' },
    ]);
    expect(one.run.replay).toMatchObject({ done: 2, skipped: 2, problems: 1 });
  });
});
