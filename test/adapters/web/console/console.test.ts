import { afterEach, describe, expect, test } from 'vitest';
import { type Console, openConsole } from '../../../support/console.ts';

describe('the console', () => {
  let shop: Console;

  afterEach(() => shop.close());

  test('shows the day to a member, and the sign-in to anybody else', async () => {
    shop = await openConsole();
    const { status, body } = await shop.browser.get('/');
    expect(shop.faults).toEqual([]);
    expect([status, body.includes('<h1>Today</h1>')]).toEqual([200, true]);
    const out = await shop.stranger().get('/');
    expect([out.status, out.location]).toEqual([303, '/sign-in']);
  });
});
