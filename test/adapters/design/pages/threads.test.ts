import { describe, expect, test } from 'vitest';
import {
  ReadingThread,
  THREAD_LIMITS,
  threadedImages,
  threadedPages,
} from '../../../../adapters/design/pages/reading-thread.ts';
import { HEAVY_PAGES } from '../../../support/hostile-pages.ts';
import { aPng, pngOf } from '../../../support/images.ts';
import { done } from '../../../support/outcomes.ts';
import { textOf, URL_OF_PAGE } from './reading.ts';

const pageOf = (html: string) => ({ html: new TextEncoder().encode(html), url: URL_OF_PAGE, styles: [], mode: null });

/** The memory limits of production, with more time, because the machine of a test is busy. */
const PATIENT = { ...THREAD_LIMITS, taskMs: 50_000 };

describe('a page read in a worker thread', () => {
  const reader = threadedPages(new ReadingThread(PATIENT));

  test('a page read in a thread equals one read in the main thread', async () => {
    const { html, title } = done(await reader.read(pageOf('<title>A</title><p onclick=x>b')));
    expect([title, textOf(html)]).toEqual([
      'A',
      '<!doctype html><html><head><meta charset="utf-8"><title>A</title></head><body><p>b</p></body></html>',
    ]);
  });

  test('a thread reports style sheets by their resolved URLs', async () => {
    const html =
      '<base href="/x/"><link rel="stylesheet" href="a.css#b"><link rel=icon href=i><link rel=stylesheet href=//c.d/e>';
    expect(done(await reader.sheets(pageOf(html)))).toEqual(['https://shop.example/x/a.css', 'https://c.d/e']);
  });

  test.each(HEAVY_PAGES)('a page stays within the limits of its thread: $name', async ({ html, refused }) => {
    const read = await reader.read(pageOf(html()));
    expect(read.ok).toBe(!refused);
    if (!read.ok) expect(read.message).toMatch(/^(?:The page|Its style|A declaration|Reading it took) .+\.$/);
  });

  test('a page that exceeds the thread’s memory is refused, and the next one is read', async () => {
    const small = threadedPages(new ReadingThread({ ...PATIENT, heapMib: 24 }));
    const heavy = await small.read(pageOf('<p class=x>a '.repeat(150_000)));
    expect(heavy).toEqual({ ok: false, code: 'page_refused', message: 'Reading it took more than 24 MiB of memory.' });
    expect(done(await small.read(pageOf('<title>B</title>'))).title).toBe('B');
  });

  test('a page that exceeds the time limit is refused, and the next one is read', async () => {
    const hasty = threadedPages(new ReadingThread({ ...THREAD_LIMITS, taskMs: 1 }));
    const late = await hasty.read(pageOf('<p>a<i>b</i></p>'.repeat(40_000)));
    expect(late).toEqual({ ok: false, code: 'page_refused', message: 'Reading it took longer than 0.001 seconds.' });
    const [one, two] = await Promise.all([reader.read(pageOf('<title>1')), reader.read(pageOf('<title>2'))]);
    expect([done(one).title, done(two).title]).toEqual(['1', '2']);
  });
});

describe('an image read in a worker thread', () => {
  const reader = threadedImages(new ReadingThread(PATIENT));

  test('a thread returns a thumbnail or a reason', async () => {
    expect(done(await reader.thumbnail(await aPng(960, 100)))).toMatchObject({ width: 480, height: 50 });
    expect(await reader.thumbnail(pngOf(9, 9, Buffer.alloc(1)))).toEqual({
      ok: false,
      code: 'image_refused',
      message: 'The PNG is broken.',
    });
  });
});
