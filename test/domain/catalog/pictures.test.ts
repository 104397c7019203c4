import { describe, expect, test } from 'vitest';
import {
  assetShown,
  imageSources,
  MOST_PICTURES,
  PICTURE_LEAST_MS,
  PICTURE_PERIOD_MS,
  pictureSpan,
  withImageSources,
} from '../../../domain/catalog/pictures.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import { NOW } from '../../support/builders.ts';

const BASE = 'https://api.example.com/api/products/1/content-assets/';

describe('the pictures in a product’s HTML', () => {
  test('each picture URL is found once, with its entities decoded', () => {
    const html = '<p>src="no.png"</p><img src="a.png" /><img alt="b" src="/b.png?x=1&amp;y=2"><img src="a.png">';
    expect(imageSources(html)).toEqual(['a.png', '/b.png?x=1&y=2']);
  });

  test('the number of pictures found is bounded', () => {
    const html = Array.from({ length: MOST_PICTURES + 5 }, (_, n) => `<img src="${n}.png">`).join('');
    expect(imageSources(html)).toHaveLength(MOST_PICTURES);
  });

  test('only picture URLs are replaced', () => {
    const html = '<a href="a.png">src="a.png"</a><img alt="src=&quot;a.png&quot;" src="a.png" /><img src="b.png" />';
    expect(withImageSources(html, new Map([['a.png', 'https://x.example/a?b=1&c="2"']]))).toBe(
      '<a href="a.png">src="a.png"</a><img alt="src=&quot;a.png&quot;" src="https://x.example/a?b=1&amp;c=&quot;2&quot;" /><img src="b.png" />',
    );
  });

  test.each([
    ['/api/products/1/content-assets/images/one%20two.png', 'images/one two.png'],
    ['https://api.example.com/api/products/1/content-assets/a.png', 'a.png'],
    ['images/a.png', 'images/a.png'],
    ['./a.png?v=2#top', 'a.png'],
    ['/api/products/2/content-assets/a.png', undefined],
    ['../../2/content-assets/a.png', undefined],
    ['/a.png', undefined],
    ['https://cdn.example/api/products/1/content-assets/a.png', undefined],
    ['//cdn.example/a.png', undefined],
    ['images/%ff.png', undefined],
    ['', undefined],
  ])('the URL %s shows the asset %s', (src, path) => {
    expect(assetShown(src, BASE)).toBe(path);
  });

  test('links made in one period are identical, and every link stays valid for its minimum time', () => {
    const begin = millis(NOW) - (millis(NOW) % PICTURE_PERIOD_MS);
    const spans = [0, 1, PICTURE_PERIOD_MS - 1].map((ms) => pictureSpan(toInstant(begin + ms)));
    expect(new Set(spans.map(({ until }) => until)).size).toBe(1);
    expect(pictureSpan(toInstant(begin + PICTURE_PERIOD_MS)).until).not.toBe(spans[0]?.until);
    for (const ms of [0, 1, PICTURE_PERIOD_MS - 1]) {
      const { from, until } = pictureSpan(toInstant(begin + ms));
      expect(millis(until) - (begin + ms)).toBeGreaterThanOrEqual(PICTURE_LEAST_MS);
      expect(from <= toInstant(begin + ms)).toBe(true);
    }
  });
});
