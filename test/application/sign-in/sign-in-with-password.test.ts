import { describe, expect, test } from 'vitest';
import { aSignInStore, WRONG_PASSWORD } from '../../support/sign-in.ts';

describe('a sign-in with a password', () => {
  test('the right password opens a session that its value finds, and only its hash is stored', async () => {
    const { store, signIn } = await aSignInStore();
    const opened = await signIn();
    if (!opened.ok) throw new Error(opened.message);
    const { value, session } = opened.value;
    expect(session).toMatchObject({ account_id: 1, method: 'password', browser: 'Firefox' });
    expect(await store.get('findSession').execute(value)).toEqual(session);
    expect(JSON.stringify(await store.entries())).not.toContain(value);
  });

  test('a wrong password is refused', async () => {
    const { signIn } = await aSignInStore();
    expect(await signIn({ password: WRONG_PASSWORD })).toMatchObject({ ok: false, code: 'wrong_credentials' });
  });
});
