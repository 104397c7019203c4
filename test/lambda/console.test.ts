import { expect, test } from 'vitest';
import { anAccount } from '../support/account-builders.ts';
import { aProduct } from '../support/builders.ts';
import { addMember, MEMBER } from '../support/console.ts';
import { put } from '../support/contents.ts';
import { hiddenFields, PageBrowser } from '../support/page-browser.ts';
import { openEmbeddedLambda } from './lambda-mount.ts';

test('the shop function serves the console, and a release goes to the object store by a signed request', async () => {
  const mount = await openEmbeddedLambda();
  try {
    const { account_id: id, email } = MEMBER;
    await put(mount.service, { accounts: [anAccount({ id, email })], products: [aProduct({ id: 1 })] });
    await addMember(mount.service, 'everything');
    const use = { browser: '', address: '127.0.0.1', place: 'console' } as const;
    const opened = await mount.service.get('openSession')(id, 'link', use);
    if (!opened.ok) throw new Error(opened.code);
    const browser = new PageBrowser(mount.urls.shop, { accept: 'text/html' });
    expect((await browser.get('/')).location).toContain('/sign-in');
    browser.jar.set('console-session', opened.value.value);
    expect(await browser.get('/')).toMatchObject({ status: 200 });
    const page = await browser.get('/releases/1/new');
    const { csrf = '' } = hiddenFields(page.body, '/releases/1/new/publish');
    const sum = { sha256: 'a'.repeat(64), size: '5000000' };
    const signed = await browser.post('/releases/1/new/sign', { csrf, ...sum });
    const { upload } = JSON.parse(signed.body);
    expect(upload).toMatchObject({ method: 'PUT', url: expect.stringContaining(sum.sha256) });
    expect(page.headers.get('content-security-policy')).toContain(`connect-src 'self' ${new URL(upload.url).origin};`);
    expect(mount.faults).toEqual([]);
  } finally {
    await mount.close();
  }
});
