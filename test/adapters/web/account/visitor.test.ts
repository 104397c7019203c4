import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { visitor } from '../../../../adapters/web/account/visitor.ts';
import { aBuyersService, EMAIL, PASSWORD } from '../../../support/account-pages.ts';

const sending = (cookie?: string) => ({ headers: cookie === undefined ? {} : { cookie } }) as IncomingMessage;

test('a browser is signed in to its session’s account until the session ends', async () => {
  const service = await aBuyersService();
  const { accountOf } = visitor('https://account.example.com', service.parts);
  const signIn = { email: EMAIL, password: PASSWORD, address: '203.0.113.9', browser: 'Firefox', known: null };
  const opened = await service.get('signInWithPassword')(signIn);
  if (!opened.ok) throw new Error(opened.code);
  const cookie = `__Host-account-session=${opened.value.value}`;
  expect(await accountOf(sending(cookie))).toBe(1);
  for (const other of [undefined, '', cookie.replace('__Host-', ''), `${cookie}x`]) {
    expect(await accountOf(sending(other))).toBeNull();
  }
  await service.get('endSession')(opened.value.session);
  expect(await accountOf(sending(cookie))).toBeNull();
});
