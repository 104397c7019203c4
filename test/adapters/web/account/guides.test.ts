import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aBuyersService, openPages, type PagesServer } from '../../../support/account-pages.ts';
import { anEntitlement, aProduct } from '../../../support/builders.ts';
import { put, storedFile } from '../../../support/contents.ts';
import type { PageBrowser } from '../../../support/page-browser.ts';
import { A_STOREFRONT, aContent } from '../../../support/public-builders.ts';

const PAST = '2026-01-31T00:00:00.000Z';
const MANUAL = {
  summary: 'One <file>.',
  requirements: ['`__init__` and *.log'],
  install_steps: ['Unpack it', 'Run it'],
  verification_steps: [],
  troubleshooting: [],
};
const USAGE =
  '# Clock\n\n### Keys\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) [site](https://example.com)\n';

describe('the guides of a product', () => {
  let server: PagesServer;
  let browser: PageBrowser;

  beforeAll(async () => {
    const owned = { id: 1, name: { en: 'Clock' }, manual: { en: MANUAL } };
    const service = await aBuyersService({
      storefront: { ...A_STOREFRONT, languages: ['en', 'de'] },
      products: [
        aProduct(owned),
        aProduct({ ...owned, id: 2 }),
        aProduct({ ...owned, id: 3 }),
        aProduct({ id: 4, name: { en: 'Bare' } }),
      ],
      entitlements: [
        anEntitlement({ id: 1, product_id: 1 }),
        anEntitlement({ id: 2, product_id: 2, access_expires_at: PAST }),
        anEntitlement({ id: 3, product_id: 3, account_id: 2 }),
        anEntitlement({ id: 4, product_id: 4 }),
      ],
    });
    const file = async (path: string, text: string) => ({
      path,
      content_type: 'text/markdown',
      ...(await storedFile(service, text)),
    });
    const assets = [await file('usage.md', USAGE), await file('how.md', '# 동작\n\n파일을 차례로 읽습니다.')];
    const guided = { usage_path: 'usage.md', architecture_path: 'how.md', assets };
    const bare = {
      usage_path: 'page.html',
      architecture_path: 'long.md',
      assets: [await file('page.html', '<p>'), { ...(await file('long.md', 'a')), size: 262_145 }],
    };
    await put(service, {
      productContents: [
        ...[1, 2, 3].map((product_id) => aContent({ product_id, ...guided })),
        aContent({ product_id: 4, ...bare }),
      ],
    });
    ({ server, browser } = await openPages(service));
  });

  afterAll(() => server.close());

  test('guides are linked from the product page, and a manual shows its texts as written', async () => {
    const { body } = await browser.get('/library/1?lang=de');
    const paths = ['manual', 'usage', 'architecture'].map((kind) => `/library/1/guides/${kind}`);
    expect([...body.matchAll(/href="(\/library\/1\/guides\/\w+)"/g)].map(([, path]) => path)).toEqual(paths);
    const manual = await browser.get('/library/1/guides/manual');
    expect(manual.body).toContain('<html lang="de">');
    expect(manual.body).toContain('<h1>Handbuch</h1>');
    expect(manual.body).toContain('<div class="prose" lang="en"><p class="answer">One &lt;file&gt;.</p>');
    expect(manual.body).toContain('<h2>Requirements</h2><ul><li class="answer">`__init__` and *.log</li></ul>');
    expect(manual.body).toContain('<ol><li class="answer">Unpack it</li><li class="answer">Run it</li></ol>');
    expect(manual.body).not.toContain('<h2>Check that it works</h2>');
  });

  test('guide files are Markdown without scripts, in their own language if known', async () => {
    const usage = (await browser.get('/library/1/guides/usage?lang=en')).body;
    expect(usage).toContain(
      '<div class="prose" lang=""><h2>Keys</h2>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>[x](javascript:alert(1)) <a href="https://example.com" rel="noopener noreferrer nofollow">site</a></p>',
    );
    expect((await browser.get('/library/1/guides/architecture')).body).toContain(
      '<div class="prose" lang="ko"><h2>동작</h2>',
    );
  });

  test.each([
    ['of a product whose license has ended', '2/guides/manual'],
    ['of a product of somebody else', '3/guides/usage'],
    ['of a product that does not exist', '9/guides/usage'],
    ['of no known kind', '1/guides/ai_prompt'],
    ['of an inherited name', '1/guides/__proto__'],
    ['that the product lacks', '4/guides/manual'],
    ['that is a page of HTML', '4/guides/usage'],
    ['that is larger than a page shows', '4/guides/architecture'],
  ])('a guide %s is not found, and no page links to it', async (_, path) => {
    expect((await browser.get(`/library/${path}`)).status).toBe(404);
    const { body } = await browser.get(`/library/${path.charAt(0)}`);
    expect(body).not.toContain(`/library/${path}`);
  });
});
