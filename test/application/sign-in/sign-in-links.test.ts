import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import { LINKS_PER_ADDRESS } from '../../../domain/sign-in/attempts.ts';
import { anAccount } from '../../support/account-builders.ts';
import { ADDRESS, aSignInStore } from '../../support/sign-in.ts';

const NOT_USABLE = { ok: false, code: 'link_not_usable' };

const aLinkStore = async () => {
  const { store } = await aSignInStore();
  const made = await store.get('createSignInLink')(grantPermit(), 2);
  if (!made.ok) throw new Error(made.message);
  return {
    store,
    ...made.value,
    peek: async (code = made.value.code) => (await store.get('peekSignInLink')(code))?.is_usable ?? false,
    use: (code = made.value.code) => store.get('useSignInLink')({ code, browser: 'Safari', address: ADDRESS }),
  };
};

describe('a one-time link', () => {
  test('a link signs its account in once, even without a password', async () => {
    const { store, use, peek, code } = await aLinkStore();
    expect(JSON.stringify(await store.entries())).not.toContain(code);
    const opened = await use();
    expect(opened).toMatchObject({
      ok: true,
      value: { session: { account_id: 2, method: 'link', browser: 'Safari', address: ADDRESS } },
    });
    expect(await store.get('findSession')(opened.ok ? opened.value.value : '')).toBeDefined();
    expect(await use()).toMatchObject(NOT_USABLE);
    expect(await peek()).toBe(false);
  });

  test('opening a link, as a mail scanner does, does not use it', async () => {
    const { use, peek } = await aLinkStore();
    for (let n = 0; n < 100; n++) expect(await peek()).toBe(true);
    expect(await use()).toMatchObject({ ok: true });
  });

  test('a link can be used for an hour', async () => {
    const { store, use, peek, expires_at } = await aLinkStore();
    expect(millis(expires_at) - millis(store.clock.at)).toBe(3_600_000);
    store.clock.at = expires_at;
    expect(await peek()).toBe(false);
    expect(await use()).toMatchObject(NOT_USABLE);
    store.clock.at = toInstant(millis(expires_at) - 1);
    expect(await use()).toMatchObject({ ok: true });
  });

  test('a link ends when the operator sets a password', async () => {
    const { store, use } = await aLinkStore();
    const reset = await store.get('resetPassword')(grantPermit(), { account_id: 2, password: 'correct horse' });
    expect(reset).toMatchObject({ ok: true });
    expect(await use()).toMatchObject(NOT_USABLE);
    expect(await store.get('sessions').of(2)).toEqual([]);
  });

  test('no link is made for a suspended account, and existing links fail', async () => {
    const { store, use } = await aLinkStore();
    const account = anAccount({ id: 2, suspended_at: store.clock.at });
    await store.get('accounts').save(grantPermit(), account);
    expect(await use()).toMatchObject({ ok: false, code: 'account_suspended' });
    expect(await store.get('sessions').of(2)).toEqual([]);
    const made = await store.get('createSignInLink')(grantPermit(), 2);
    expect(made).toMatchObject({ ok: false, code: 'account_suspended' });
  });

  test('no link is made for an account that does not exist', async () => {
    const { store } = await aLinkStore();
    const before = await store.entries();
    const made = await store.get('createSignInLink')(grantPermit(), 9);
    expect(made).toMatchObject({ ok: false, code: 'account_not_found' });
    expect(await store.entries()).toEqual(before);
  });

  test('a link that is used twenty times at once signs in exactly once', async () => {
    const { store, use } = await aLinkStore();
    const used = await Promise.all(Array.from({ length: 20 }, () => use()));
    expect(used.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await store.get('listSessions')(2)).toHaveLength(1);
  });

  test('an IP address that tried thirty wrong codes is refused, even with a right one', async () => {
    const { use } = await aLinkStore();
    for (let n = 0; n < LINKS_PER_ADDRESS; n++) expect(await use(`wrong ${n}`)).toMatchObject(NOT_USABLE);
    expect(await use()).toMatchObject({ ok: false, code: 'too_many_attempts' });
  });
});
