import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBuyersService, openPages, PASSWORD, type PagesServer } from '../../../support/account-pages.ts';
import { anEntitlement, aProduct, aSubscription } from '../../../support/builders.ts';
import { PageBrowser } from '../../../support/page-browser.ts';

const RECEIVER = 'buyer-2@example.com';

describe('the page of license transfers', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;
  let receiver: PageBrowser;

  beforeEach(async () => {
    service = await aBuyersService({
      accounts: [
        anAccount({ id: 2, email: RECEIVER, password_hash: `salt:${PASSWORD}` }),
        anAccount({ id: 3, email: 'buyer-3@example.com' }),
      ],
      products: [aProduct({ id: 1, name: { en: 'Hashcheck' } }), aProduct({ id: 2, name: { en: 'Memo' } })],
      entitlements: [anEntitlement({ id: 11, product_id: 1 })],
      subscriptions: [aSubscription({ id: 12, product_ids: [2] })],
    });
    ({ server, browser } = await openPages(service));
    receiver = new PageBrowser(server.url);
    await receiver.signIn(RECEIVER, PASSWORD);
  });
  afterEach(() => server.close());

  /** The page after a form. */
  const sent = async (one: PageBrowser, action: string, fields: Readonly<Record<string, string>> = {}) => {
    const { location } = await one.submit('/transfers', action, fields);
    return (await one.get(location ?? '')).body;
  };

  const held = async (account: number) =>
    (await service.get('storedLicenses').held(account)).entitlements.map(({ id }) => id);

  test('an owner offers a license, which moves when the receiver accepts', async () => {
    const page = (await browser.get('/transfers')).body;
    expect(page).toContain('Hashcheck');
    expect(page).not.toContain('Memo');
    expect(await sent(browser, '/transfers', { grant: '11', email: RECEIVER })).toContain(`Offered to ${RECEIVER}`);
    expect(await held(1)).toEqual([11]);
    expect((await receiver.get('/transfers')).body).toContain('Offered by buyer-1@example.com');
    expect(await sent(receiver, '/transfers/accept')).toContain('The license is yours now.');
    expect([await held(1), await held(2)]).toEqual([[], [11]]);
  });

  test('the sender can cancel, and the receiver can decline', async () => {
    for (const one of [browser, receiver]) {
      await browser.submit('/transfers', '/transfers', { grant: '11', email: RECEIVER });
      expect(await sent(one, '/transfers/cancel')).toContain('Nothing was transferred');
      expect((await receiver.get('/transfers')).body).not.toContain('Offered by');
    }
    expect(await held(1)).toEqual([11]);
  });

  test.each([
    ['the own address', { grant: '11', email: 'buyer-1@example.com' }, 'your own address'],
    ['no address', { grant: '11', email: 'nobody' }, 'no valid email address'],
    ['a subscription', { grant: '12', email: RECEIVER }, 'can’t be transferred'],
    ['the license of somebody else', { grant: '99', email: RECEIVER }, 'can’t be transferred'],
  ])('an offer from or to %s is refused with a reason', async (_, fields, words) => {
    expect(await sent(browser, '/transfers', fields)).toContain(words);
  });

  test('an offer of a stranger can’t be accepted', async () => {
    await browser.submit('/transfers', '/transfers', { grant: '11', email: 'buyer-3@example.com' });
    const { body } = await receiver.get('/transfers');
    expect(body).not.toContain('/transfers/accept');
    expect(await service.get('acceptTransfer')(undefined as never, { account_id: 2, from: 1, id: 11 })).toMatchObject({
      code: 'offer_not_found',
    });
  });
});
