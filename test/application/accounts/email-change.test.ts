import { describe, expect, test } from 'vitest';
import { changeEmail, peekEmailLink } from '../../../application/accounts/email-change.ts';
import { mailLink } from '../../../application/sign-in/sign-in-links.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { MAILED_LINKS_PER_ADDRESS_AND_EMAIL } from '../../../domain/sign-in/attempts.ts';
import { newSession } from '../../../domain/sign-in/session.ts';
import { anAccount } from '../../support/account-builders.ts';
import { NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aClock, noPauses } from '../../support/fakes.ts';
import { MAILING } from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { memoryService } from '../../support/service.ts';
import { ADDRESS, aSignInStore } from '../../support/sign-in.ts';

const NEW = 'new@example.com';
const UNUSABLE = { ok: false, code: 'link_not_usable' };

/** An account whose owner is signed in twice and has received a link that changes its address to NEW. */
const aChange = async () => {
  const { store, sessionOf } = await aSignInStore();
  const [here, elsewhere, stranger] = [await sessionOf(1), await sessionOf(1), await sessionOf(2)];
  const parts = {
    accounts: store.get('accounts'),
    clock: store.clock,
    digest: store.get('digest'),
    members: store.get('members'),
    pauses: noPauses,
    signInLinks: store.get('signInLinks'),
    countAttempts: store.get('countAttempts'),
    endOtherSessions: store.get('endOtherSessions'),
  };
  const account = async () => (await parts.accounts.get(1)) as Account;
  const mail = mailLink({ ...parts, secrets: store.get('secrets') });
  const code =
    (await mail(grantPermit(), await account(), { email: NEW, mailed: { message_id: 9, known: false } })) ?? '';
  return {
    store,
    code,
    account,
    save: async (fields: Partial<Account>) =>
      parts.accounts.revise(grantPermit(), await account(), { ...(await account()), ...fields }, []),
    isSignedIn: (value: string) =>
      store
        .get('findSession')(value)
        .then((found) => found !== undefined),
    here,
    elsewhere,
    stranger,
    peek: (by = here, told = code) => peekEmailLink(parts)(by.session, told),
    change: (by = here, told = code) =>
      changeEmail(parts)(grantPermit(), { session: by.session, code: told, address: ADDRESS, known: null }),
  };
};

describe('a mailed link that changes the email address of an account', () => {
  test('a link to change the address works once and ends the other sessions', async () => {
    const { change, peek, account, isSignedIn, here, elsewhere, stranger } = await aChange();
    expect(await peek()).toBe(NEW);
    expect(await change()).toMatchObject({ ok: true });
    expect((await account()).email).toBe(NEW);
    expect(await Promise.all([here, elsewhere, stranger].map(({ value }) => isSignedIn(value)))).toEqual([
      true,
      false,
      true,
    ]);
    expect(await peek()).toBeUndefined();
    expect(await change()).toMatchObject(UNUSABLE);
  });

  test('a link to change the address fails for another account, with another code and after an hour', async () => {
    const { store, change, peek, account, stranger } = await aChange();
    for (const [by, told] of [[stranger], [undefined, 'x'.repeat(43)], [undefined, 'short']] as const) {
      expect(await peek(by, told)).toBeUndefined();
      expect(await change(by, told)).toMatchObject(UNUSABLE);
    }
    store.clock.at = addDays(store.clock.at, 1 / 24);
    expect(await peek()).toBeUndefined();
    expect(await change()).toMatchObject(UNUSABLE);
    expect((await account()).email).toBe('buyer-1@example.com');
  });

  test('a link to change the address signs nobody in, and a sign-in link changes no address', async () => {
    const { store, code, change, peek } = await aChange();
    expect(await store.get('peekSignInLink')(code)).toBeUndefined();
    const link = await store.get('createSignInLink')(grantPermit(), 1);
    const told = link.ok ? link.value.code : '';
    expect(await peek(undefined, told)).toBeUndefined();
    expect(await change(undefined, told)).toMatchObject(UNUSABLE);
  });

  test.each<[string, Partial<Account>]>([
    ['password', { password_hash: 'plain:another' }],
    ['address', { email: 'meanwhile@example.com' }],
  ])('a link to change the address ends with a change of the %s', async (_, fields) => {
    const { save, change, account } = await aChange();
    await save(fields);
    expect(await change()).toMatchObject(UNUSABLE);
    expect((await account()).email).not.toBe(NEW);
  });

  test('a link to change the address is refused for an address taken meanwhile, and then ends no session', async () => {
    const { store, change, isSignedIn, elsewhere } = await aChange();
    const other = (await store.get('accounts').get(2)) as Account;
    await store.get('accounts').revise(grantPermit(), other, { ...other, email: NEW }, []);
    expect(await change()).toMatchObject(UNUSABLE);
    expect(await isSignedIn(elsewhere.value)).toBe(true);
  });
});

test('a change of address needs a valid address, and is mailed a limited number of times', async () => {
  const service = memoryService({ clock: aClock() }, memoryEngines(), MAILING);
  await put(service, { accounts: [anAccount()] });
  const session = newSession({ id: 1, hash: 'h', account_id: 1, method: 'link', browser: 'Firefox' }, NOW);
  const ask = async (email: string) => {
    const input = { session, email, password: '', address: ADDRESS, locale: 'en' } as const;
    const asked = await service.get('askForEmailChange')?.(grantPermit(), input);
    return asked?.ok === false ? asked.code : 'mailed';
  };
  expect(await ask('nobody')).toBe('email_malformed');
  const same = await Array.fromAsync(Array(MAILED_LINKS_PER_ADDRESS_AND_EMAIL + 1), () => ask(NEW));
  expect(same).toEqual([...Array(MAILED_LINKS_PER_ADDRESS_AND_EMAIL).fill('mailed'), 'too_many_attempts']);
  expect(await ask('another@example.com')).toBe('too_many_changes');
});
