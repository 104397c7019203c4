import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AccountHost, openAccountHost } from './account-host.ts';
import { withAuthenticator } from './support/authenticator.ts';
import { oneBrowser } from './support/chromium.ts';

const browser = oneBrowser();

describe('passkeys in a browser', () => {
  let host: AccountHost;

  beforeEach(async () => {
    host = await openAccountHost(browser(), undefined, 'localhost');
  });

  afterEach(async () => {
    const { complaints } = host;
    await host.close();
    expect(complaints.filter((line) => !line.includes('status of 4'))).toEqual([]);
  });

  const addPasskey = async (page: Page): Promise<void> => {
    await page.goto(`${host.url}/security`);
    await page.fill('#name', 'Work laptop');
    await page.click('text=Add a passkey');
    await page.click('button.main');
    await page.waitForURL(/done=passkeyAdded/);
  };

  test('an owner adds a passkey and signs in with it, but no longer after its removal', async () => {
    const page = await host.signedIn();
    const { devtools, authenticatorId } = await withAuthenticator(page);
    await addPasskey(page);
    expect(await page.locator('[aria-labelledby=passkeys]').innerText()).toContain('Work laptop');

    await page.click('.who > button');
    await page.click('text=Sign out');
    await page.click('text=Sign in with a passkey');
    await page.waitForURL(/\/library/);
    await page.goto(`${host.url}/security`);
    expect(await page.locator('[aria-labelledby=sessions]').innerText()).toContain('With a passkey');
    const [passkey] = await host.service.get('passkeys').of(1);
    expect(passkey).toMatchObject({ name: 'Work laptop', account_id: 1, last_used_at: expect.any(String) });

    await page.click('[aria-labelledby=passkeys] summary');
    await page.click('text=Remove this passkey');
    await page.waitForURL(/done=passkeyRemoved/);
    await page.click('.who > button');
    await page.click('text=Sign out');
    await page.click('text=Sign in with a passkey');
    await page.waitForURL(/answer/);
    expect(await page.innerText('h1')).toBe('Your passkey was not accepted');
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toHaveLength(1);
  });

  test('a passkey’s answer is accepted once, in the requesting browser, and an unchanged counter is refused', async () => {
    const page = await host.signedIn();
    await withAuthenticator(page);
    await addPasskey(page);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/sign-in/passkey/answer')) sent.push(request.postData() ?? '');
    });
    await page.click('.who > button');
    await page.click('text=Sign out');
    await page.click('text=Sign in with a passkey');
    await page.waitForURL(/\/library/);
    const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const again = await fetch(`${host.url}/sign-in/passkey/answer`, {
      method: 'POST',
      headers: { cookie: cookies, origin: host.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: sent[0] as string,
      redirect: 'manual',
    });
    expect(again.status).toBe(422);

    const { passkeys } = { passkeys: host.service.get('passkeys') };
    const [before] = await passkeys.of(1);
    if (!before) throw new Error('There is no passkey.');
    await passkeys.use(before, { ...before, counter: 1_000_000 });
    await page.click('.who > button');
    await page.click('text=Sign out');
    await page.click('text=Sign in with a passkey');
    await page.waitForURL(/answer/);
    expect(await page.innerText('h1')).toBe('Your passkey was not accepted');
  });

  test('a passkey’s answer for another site’s form is refused by its origin', async () => {
    const page = await host.signedIn();
    await withAuthenticator(page);
    await addPasskey(page);
    const elsewhere = { id: 'localhost', origin: 'http://localhost:1' };
    const challenge = await host.service.get('beginPasskey')({ secret: 'secret' });
    const json: string = await page.evaluate(
      `navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        ${JSON.stringify({ challenge, rpId: 'localhost', userVerification: 'required' })}
      ) }).then((made) => JSON.stringify(made.toJSON()))`,
    );
    const sender = { browser: '', address: '203.0.113.9' };
    const signIn = host.service.get('signInWithPasskey');
    expect(await signIn({ json, site: elsewhere, secret: 'secret', ...sender })).toMatchObject({
      code: 'passkey_refused',
    });
    expect(
      await signIn({ json, site: { id: 'localhost', origin: host.url }, secret: 'other', ...sender }),
    ).toMatchObject({
      code: 'passkey_refused',
    });
  });
});
