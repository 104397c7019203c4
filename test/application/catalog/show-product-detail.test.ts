import { expect, test } from 'vitest';
import type { Product, ProductContent } from '../../../domain/catalog/product.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aProduct } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { aContent } from '../../support/public-builders.ts';

const detail = async (product: Product, contents: readonly ProductContent[] = [], locale: Locale = 'en') => {
  const service = await aStore([catalog], { products: [product], productContents: contents });
  return service.get('showProductDetail')({ product, locale });
};

test('the detail page of a product has its texts, pictures and the paths of its files', async () => {
  const product = aProduct({
    hero: { path: 'hero image.svg', alt: { en: 'A clock' } },
    platforms: ['macos'],
    setup_steps: [{ en: 'Open it' }],
  });
  const content = aContent({
    detail_html: { en: '<h2>Ticks</h2>' },
    gallery: [{ path: 'one.png', alt: { en: 'One' } }],
    videos: [{ url: 'https://video.example.com/1', title: null }],
    usage_path: 'docs/guide.md',
  });
  expect(await detail(product, [content])).toMatchObject({
    product: { id: 1, entitled: true },
    detail_html: '<h2>Ticks</h2>',
    hero_path: '/api/products/1/content-assets/hero%20image.svg',
    hero_alt: 'A clock',
    gallery: [{ path: '/api/products/1/content-assets/one.png', alt: 'One' }],
    videos: [{ url: 'https://video.example.com/1', title: null }],
    usage_path: '/api/products/1/content-assets/docs/guide.md',
    architecture_path: null,
    platforms: ['macos'],
    setup_steps: ['Open it'],
  });
});

test('the HTML of a detail page loses its scripts and event handlers', async () => {
  const unsafe = { en: '<p onclick="alert(1)">fast</p><script>alert(1)</script>' };
  expect(await detail(aProduct(), [aContent({ detail_html: unsafe })])).toMatchObject({ detail_html: '<p>fast</p>' });
});

test.each([
  [{ en: '<p>fast</p>' }, 'en'],
  [{ en: '<p>fast</p>', ko: '<p>빠름</p>' }, 'ko'],
  [{ ko: ' ' }, 'ko'],
])('the language of the detail page %j under Korean is %s', async (detail_html, content_locale) => {
  const product = aProduct({ name: { en: 'Clock', ko: '시계' }, description: { ko: '시계' } });
  expect(await detail(product, [aContent({ detail_html })], 'ko')).toMatchObject({ product: { content_locale } });
});

test('a product without content has an empty detail page', async () => {
  expect(await detail(aProduct())).toMatchObject({
    detail_html: null,
    hero_path: null,
    hero_alt: null,
    gallery: [],
    videos: [],
    usage_path: null,
    ai_prompt_path: null,
  });
});

test('the title of a video is shown in the requested language', async () => {
  const content = aContent({ videos: [{ url: 'https://video.example.com/1', title: { en: 'One', ko: '하나' } }] });
  expect(await detail(aProduct(), [content], 'ko')).toMatchObject({ videos: [{ title: '하나' }] });
});
