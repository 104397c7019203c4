import { expect, onTestFinished, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { aProduct } from '../../../support/builders.ts';
import { openConsole } from '../../../support/console.ts';
import { put } from '../../../support/contents.ts';

test('license keys are made once for each form, and downloaded, counted and revoked in the console', async () => {
  const shop = await openConsole();
  onTestFinished(() => shop.close());
  const { service, browser } = shop;
  await put(service, { products: [aProduct({ id: 77, slug: 'memo', license_keys: true })] });
  const refused = await browser.submit('/keys', '/keys/create', { name: 'Lab', product: 'none', count: '2' });
  expect([refused.status >= 400, refused.body.includes('value="Lab"')]).toEqual([true, true]);
  const fields = { name: 'Reviewers <1>', product: 'memo', count: '3', access_days: '30' };
  const made = await browser.submit('/keys', '/keys/create', fields);
  const [heading, ...keys] = made.body.trim().split('\n');
  expect([made.status, heading, keys.length]).toEqual([200, 'key', 3]);
  expect(made.headers.get('content-disposition')).toMatch(/^attachment; filename="keys-\d+\.csv"$/);
  expect((await service.get('authenticate')(keys[0] ?? '', false, grantPermit())).ok).toBe(true);
  const page = (await browser.get('/keys')).body;
  expect(page).toContain('Reviewers &lt;1&gt;');
  expect(page).toContain('Also the keys in use');
  expect(keys.filter((key) => page.includes(key))).toEqual([]);
  const revoked = await browser.submit('/keys', '/keys/revoke', { claimed: 'true' });
  expect((await browser.get(revoked.location ?? '')).body).toContain('The keys are revoked.');
  expect(await service.get('listKeyBatches')({ limit: 1, after: null })).toMatchObject([
    { unused: 0, claimed: 0, revoked: 3 },
  ]);
  expect(shop.faults).toEqual([]);
});
