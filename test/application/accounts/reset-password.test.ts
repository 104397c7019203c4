import { describe, expect, test } from 'vitest';
import { resetPassword } from '../../../application/accounts/accounts.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { beforeCall } from '../../support/before-call.ts';
import { NOW } from '../../support/builders.ts';
import { noPauses } from '../../support/fakes.ts';
import { aSignInStore, PASSWORD, plainPasswords } from '../../support/sign-in.ts';

const NEXT = 'battery staple';

const reset = ({ store }: Awaited<ReturnType<typeof aSignInStore>>, account_id: number, password = NEXT) =>
  store.get('resetPassword')(grantPermit(), { account_id, password });

describe('the reset of a password by the operator', () => {
  test('the new password signs in, and the old one no longer does', async () => {
    const made = await aSignInStore();
    expect(await reset(made, 1)).toMatchObject({ ok: true });
    expect(await made.signIn({ password: NEXT })).toMatchObject({ ok: true });
    expect(await made.signIn()).toMatchObject({ code: 'wrong_credentials' });
  });

  test('a reset ends every session of the account, forgets its browsers and leaves other accounts unchanged', async () => {
    const made = await aSignInStore();
    const [own, link, neighbour] = [await made.signIn(), await made.sessionOf(1), await made.sessionOf(2)];
    await made.remember(1);
    await made.remember(2);
    await reset(made, 1);
    const find = made.store.get('findSession');
    expect(await find(own.ok ? own.value.value : '')).toBeUndefined();
    expect(await find(link.value)).toBeUndefined();
    expect(await find(neighbour.value)).toBeDefined();
    expect(await made.store.get('knownBrowsers').of(1)).toEqual([]);
    expect(await made.store.get('knownBrowsers').of(2)).toHaveLength(1);
  });

  test('a reset reports how many browsers and passkeys it ended, and removes passkeys on request', async () => {
    const made = await aSignInStore();
    await made.signIn();
    const thief = { id: 'thief', account_id: 1, name: 'x', public_key: 'AA', counter: 0, transports: [] };
    await made.store.get('passkeys').add(grantPermit(), { ...thief, created_at: NOW, last_used_at: null }, []);
    expect(await reset(made, 1)).toEqual({ ok: true, value: { browsers: 1, passkeys: 0 } });
    const input = { account_id: 1, password: NEXT, passkeys: true };
    const again = await made.store.get('resetPassword')(grantPermit(), input);
    expect(again).toEqual({ ok: true, value: { browsers: 0, passkeys: 1 } });
    expect(await made.store.get('passkeys').of(1)).toEqual([]);
  });

  test('an account that is erased while its password is stored is refused', async () => {
    const made = await aSignInStore();
    const accounts = made.store.get('accounts');
    const gone = { get: async (id: number) => accounts.get(id) };
    const reset = resetPassword({
      accounts: {
        ...gone,
        get: async (id) => {
          const read = await gone.get(id);
          gone.get = async () => undefined;
          return read;
        },
      } as typeof accounts,
      passwords: plainPasswords().passwords,
      signInMethods: { password: true, upstream: null },
      endOtherSessions: made.store.get('endOtherSessions'),
      pauses: noPauses,
      clock: made.store.clock,
      sessions: made.store.get('sessions'),
    });
    expect(await reset(grantPermit(), { account_id: 1, password: NEXT })).toMatchObject({
      code: 'account_not_found',
    });
  });

  test('an account that is renamed while its password is stored keeps the new name', async () => {
    const made = await aSignInStore();
    const accounts = made.store.get('accounts');
    const late = resetPassword({
      accounts: beforeCall(accounts, ['save', 'revise'], async () => {
        const read = await accounts.get(1);
        if (read) await accounts.revise(grantPermit(), read, { ...read, name: 'Ann' }, []);
      }),
      passwords: plainPasswords().passwords,
      signInMethods: { password: true, upstream: null },
      endOtherSessions: made.store.get('endOtherSessions'),
      pauses: noPauses,
      clock: made.store.clock,
      sessions: made.store.get('sessions'),
    });
    expect(await late(grantPermit(), { account_id: 1, password: NEXT })).toMatchObject({ ok: true });
    expect(await accounts.get(1)).toMatchObject({ name: 'Ann', password_hash: `plain:${NEXT}` });
  });

  test.each([
    [9, NEXT, 'account_not_found'],
    [1, '1234567', 'password_too_short'],
    [1, 'x'.repeat(257), 'password_too_long'],
  ])('a reset for account %i with the password %s is refused, and the old password signs in', async (id, password, code) => {
    const made = await aSignInStore();
    expect(await reset(made, id, password)).toMatchObject({ ok: false, code });
    expect(await made.signIn({ password: PASSWORD })).toMatchObject({ ok: true });
  });

  test('a reset is refused if password sign-in is turned off', async () => {
    const made = await aSignInStore({}, { signInMethods: { password: false, upstream: null } });
    expect(await reset(made, 1)).toMatchObject({ code: 'passwords_off' });
  });
});
