import { beforeEach, describe, expect, test } from 'vitest';
import { exportOffline } from '../../../application/licensing/export-offline.ts';
import { acceptInvitation, findInvitation } from '../../../application/teams/teams.ts';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { INVITATIONS_A_DAY, MOST_MEMBERSHIPS } from '../../../domain/teams/team.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anEntitlement, aProduct } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aMailer, BY_WEBHOOK, MAILING, sendAll } from '../../support/mail.ts';
import { done } from '../../support/outcomes.ts';
import { buyer, PRODUCTS, subscription } from '../../support/sale-events.ts';
import { memoryService } from '../../support/service.ts';

const permit = grantPermit();
const OWNER = 1;
const MEMBER = 2;
const [OWNERS, MEMBERS] = ['owner@example.com', 'member@example.com'];
const SEATS = aProduct({ id: 1, slots: 'persons', device_limit: 1 });
const three = anEntitlement({ account_id: OWNER, source_quantity: 3 });

describe('a team', () => {
  let service: Service;
  let mailer: ReturnType<typeof aMailer>;

  beforeEach(async () => {
    mailer = aMailer();
    service = memoryService({ mailer }, undefined, MAILING);
    const accounts = [
      anAccount({ id: OWNER, email: OWNERS }),
      anAccount({ id: MEMBER, email: MEMBERS }),
      anAccount({ id: 3, email: 'third@example.com' }),
    ];
    await put(service, { products: [SEATS, aProduct({ id: 2, slug: 'two' })], accounts, entitlements: [three] });
  });

  /** The service's parts by name, for the use cases of pages. */
  const parts = () => new Proxy({}, { get: (_, name) => service.get(name as 'teams') }) as never;
  const listTeams = async (account_id: number) => done(await service.get('listTeams')(account_id));

  const invite = async (email: string, more: object = {}) => {
    const input = { account_id: OWNER, product: SEATS, owner_id: null, role: 'member', locale: 'en', ...more } as const;
    const begun = await service.get('inviteToTeam')({ ...input, email });
    // Changes by a command mail nobody.
    return typeof begun === 'function' ? begun({ permit: BY_WEBHOOK }) : begun;
  };
  const accept = (account_id: number, owner_id = OWNER) =>
    acceptInvitation(parts())(permit, { account_id, owner_id, product_id: 1 });
  const show = (account_id = OWNER, owner_id: number | null = null) =>
    service.get('showTeam')({ account_id, product: SEATS, owner_id });
  const remove = async (person_id: number | null, account_id = OWNER) => {
    const begun = await service.get('removeFromTeam')({ account_id, product: SEATS, owner_id: OWNER, person_id });
    return typeof begun === 'function' ? begun({ permit }) : begun;
  };
  const idOf = async (email: string): Promise<number> =>
    done(await show()).people.find((one) => one.email === email)?.id ?? 0;
  const aKey = async (account_id: number): Promise<string> =>
    done(await service.get('createApiKey')(permit, { account_id, name: 'Key', abilities: ABILITIES })).value;
  /** The check of a device with a key, as a request makes it. */
  const check = async (value: string, device_id: string) => {
    const caller = done(await service.get('authenticate')(value, true));
    const body = { product_id: 1, bundle_id: null, device_id, app_version: null };
    const key = caller.credential.kind === 'key' ? caller.credential.key : null;
    const input = { account_id: caller.account_id, scope: caller, key, caller, body, locale: 'en' } as const;
    const begun = await service.get('checkLicense')(input);
    return typeof begun === 'function' ? begun({ permit }) : begun;
  };

  test('the owner invites by mail, the member has own devices, and withdrawing the seat frees them', async () => {
    const key = await aKey(MEMBER);
    expect(await check(key, 'laptop')).toMatchObject({ value: { code: 'not_entitled' } });
    expect(done(await invite(MEMBERS))).toMatchObject({ seats: { used: 2, limit: 3 }, over_used: 0 });
    await sendAll(service);
    expect(mailer.sent).toMatchObject([{ to: MEMBERS, subject: expect.stringContaining('invited') }]);
    expect(mailer.sent[0]?.text).toMatch(/%2Fteams%2F1%2F1|\/teams\/1\/1/);
    done(await accept(MEMBER));
    expect(await check(key, 'laptop')).toMatchObject({
      value: { valid: true, device_limit: 1, access_source: 'direct' },
    });
    expect(await check(key, 'phone')).toMatchObject({ code: 'device_limit_reached' });
    expect(await check(await aKey(OWNER), 'desk')).toMatchObject({ value: { valid: true, devices_used: 1 } });
    expect(await remove(await idOf(MEMBERS))).toEqual({ ok: true, value: { removed: true } });
    expect(await check(key, 'laptop')).toMatchObject({ value: { code: 'not_entitled', devices_used: 0 } });
    expect(await remove(99)).toEqual({ ok: true, value: { removed: false } });
  });

  test('an address with and without an account gets the same answer, and a person without one gets an account by mail', async () => {
    const answers = [await invite('new@example.com'), await invite(MEMBERS)];
    expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await service.get('accounts').findByEmail('new@example.com')).toBeUndefined();
    await sendAll(service);
    const made = await service.get('accounts').findByEmail('new@example.com');
    done(await accept(made?.id ?? 0));
    expect(await findInvitation(parts())({ account_id: 3, owner_id: OWNER, product_id: 1 })).toBeUndefined();
    expect(await accept(3)).toMatchObject({ code: 'invitation_not_found' });
  });

  test('a withdrawn invitation is not mailed, and an address gets at most five mails a day', async () => {
    await invite(MEMBERS);
    await remove(await idOf(MEMBERS));
    expect(await sendAll(service)).toEqual(['dropped']);
    for (let n = 0; n < 7; n++) {
      await invite(MEMBERS);
      await sendAll(service);
      await remove(await idOf(MEMBERS));
    }
    expect(mailer.sent).toHaveLength(5);
  });

  test('a team can invite at most a hundred times a day', async () => {
    await service.get('dailyBounds').count(permit, INVITATIONS_A_DAY, String(OWNER), 100, service.get('clock').now());
    expect(await invite(MEMBERS)).toMatchObject({ code: 'rate_limited' });
  });

  test('only the owner and people with the billing role see and manage a team', async () => {
    await invite(MEMBERS, { role: 'billing' });
    expect(await show(MEMBER, OWNER)).toMatchObject({ code: 'not_found' });
    done(await accept(MEMBER));
    expect(await show(MEMBER, OWNER)).toMatchObject({ ok: true });
    expect(await invite('third@example.com', { account_id: MEMBER, owner_id: OWNER })).toMatchObject({ ok: true });
    done(await accept(3));
    expect(await show(3, OWNER)).toMatchObject({ code: 'not_found' });
    expect(await remove(await idOf(MEMBERS), 3)).toMatchObject({ code: 'not_found' });
    expect(await invite('x@example.com', { account_id: 3 })).toMatchObject({ code: 'not_found' });
    expect(await check(await aKey(MEMBER), 'laptop')).toMatchObject({ value: { code: 'not_entitled' } });
    expect(
      await service.get('showTeam')({ account_id: OWNER, product: aProduct({ id: 2 }), owner_id: null }),
    ).toMatchObject({
      code: 'not_found',
    });
  });

  test('a lowered quantity is reported and removes no one, and the end of the purchase ends all access', async () => {
    await invite(MEMBERS);
    done(await accept(MEMBER));
    const key = await aKey(MEMBER);
    await service.get('grants').saveEntitlement(permit, { ...three, source_quantity: 1 });
    expect(done(await show())).toMatchObject({ seats: { used: 2, limit: 1 }, over_used: 1 });
    expect(await check(key, 'laptop')).toMatchObject({ value: { valid: true } });
    expect(await invite('third@example.com')).toMatchObject({ code: 'seat_limit_reached' });
    await service.get('grants').saveEntitlement(permit, { ...three, revoked_at: service.get('clock').now() });
    expect(await check(key, 'laptop')).toMatchObject({ value: { code: 'entitlement_revoked' } });
  });

  test('an owner who gave up the seat runs nothing, and takes it back by a self-invitation', async () => {
    const key = await aKey(OWNER);
    expect(await check(key, 'desk')).toMatchObject({ value: { valid: true } });
    expect(await remove(OWNER)).toMatchObject({ value: { removed: true } });
    expect(await check(key, 'desk')).toMatchObject({ value: { valid: false, devices_used: 0 } });
    expect(done(await show()).people).toMatchObject([{ id: OWNER, has_seat: false }]);
    done(await invite(OWNERS));
    expect(await check(key, 'desk')).toMatchObject({ value: { valid: true } });
    expect(await sendAll(service)).not.toContain('sent');
  });

  test('while the team’s account is suspended nobody runs the product, and a member’s own earlier key still works', async () => {
    await invite(MEMBERS);
    done(await accept(MEMBER));
    const key = await aKey(MEMBER);
    done(await service.get('suspendAccount')(permit, { account_id: OWNER, suspended: true }));
    expect(await check(key, 'laptop')).toMatchObject({ value: { valid: false } });
    done(await service.get('suspendAccount')(permit, { account_id: OWNER, suspended: false }));
    expect(await check(key, 'laptop')).toMatchObject({ value: { valid: true } });
    expect((await service.get('authenticate')(key)).ok).toBe(true);
  });

  test('a member can leave, and both sides see the change', async () => {
    await invite(MEMBERS);
    done(await accept(MEMBER));
    expect(await listTeams(OWNER)).toMatchObject({ own: [{ seats: { used: 2 } }], joined: [] });
    expect(await listTeams(MEMBER)).toMatchObject({
      own: [],
      joined: [{ owner_email: OWNERS, role: 'member' }],
    });
    const library = await service.get('listLibrary')({ account_id: MEMBER, scope: { product_id: null }, locale: 'en' });
    expect(library.items).toMatchObject([{ product: { id: 1 } }]);
    expect(await remove(OWNER, MEMBER)).toMatchObject({ code: 'not_found' });
    done(await service.get('suspendAccount')(permit, { account_id: OWNER, suspended: true }));
    expect(await remove(null, MEMBER)).toEqual({ ok: true, value: { removed: true } });
    expect(await remove(null, MEMBER)).toMatchObject({ code: 'not_found' });
    expect(await listTeams(MEMBER)).toEqual({ own: [], joined: [] });
    expect(await service.get('accounts').get(MEMBER)).not.toHaveProperty('memberships');
  });

  test('an erased member frees the seat, and an erased owner ends the team', async () => {
    await invite(MEMBERS);
    done(await accept(MEMBER));
    await invite('third@example.com');
    done(await service.get('eraseAccount')(permit, { account_id: MEMBER }));
    done(await service.get('eraseAccount')(permit, { account_id: 3 }));
    expect(done(await show())).toMatchObject({ seats: { used: 1 }, people: [{ id: OWNER }] });
    await put(service, { accounts: [anAccount({ id: 4, email: 'fourth@example.com' })] });
    await invite('fourth@example.com');
    done(await accept(4));
    const key = await aKey(4);
    done(await service.get('eraseAccount')(permit, { account_id: OWNER }));
    expect(await check(key, 'laptop')).toMatchObject({ value: { code: 'not_entitled' } });
    expect((await listTeams(4)).joined).toEqual([]);
    expect(await service.get('accounts').get(4)).not.toHaveProperty('memberships');
  });

  test('a merged member keeps the seat, and a merged owner keeps the team', async () => {
    await invite(MEMBERS);
    done(await accept(MEMBER));
    const key = await aKey(MEMBER);
    done(await service.get('mergeAccounts')(permit, { from: MEMBER, into: 3 }));
    expect(await check(key, 'laptop')).toMatchObject({ value: { valid: true } });
    expect(done(await show()).seats).toEqual({ used: 2, limit: 3 });
    await put(service, { accounts: [anAccount({ id: 4, email: 'fourth@example.com' })] });
    done(await service.get('mergeAccounts')(permit, { from: OWNER, into: 4 }));
    expect(await check(key, 'laptop')).toMatchObject({ value: { valid: true } });
    expect(done(await show(4))).toMatchObject({ owner_id: 4, seats: { used: 2, limit: 3 } });
    done(await service.get('mergeAccounts')(permit, { from: 3, into: 4 }));
    expect(done(await show(4))).toMatchObject({ seats: { used: 1, limit: 3 } });
    expect(await check(key, 'laptop')).toMatchObject({ value: { valid: true, device_limit: 1 } });
  });

  test('an invitation of a merged account passes to its heir, and a changed address can’t accept one', async () => {
    await invite(MEMBERS);
    done(await service.get('mergeAccounts')(permit, { from: MEMBER, into: 3 }));
    done(await accept(3));
    expect(done(await show()).seats.used).toBe(2);
    const heir = (await service.get('accounts').get(3)) ?? anAccount();
    await service.get('accounts').revise(permit, heir, { ...heir, email: 'later@example.com' }, []);
    await invite('third@example.com');
    done(await remove(await idOf(MEMBERS)));
    expect(await accept(3)).toMatchObject({ code: 'invitation_not_found' });
  });

  test('an account is in at most twenty teams', async () => {
    const account = await service.get('accounts').get(MEMBER);
    const memberships = Array.from({ length: MOST_MEMBERSHIPS }, (_, n) => {
      return { account_id: 100 + n, product_id: 1, role: 'member' as const };
    });
    if (account) await service.get('accounts').revise(permit, account, { ...account, memberships }, []);
    await invite(MEMBERS);
    expect(await accept(MEMBER)).toMatchObject({ code: 'too_many_teams' });
  });

  test('the owner’s seat can’t be taken by others, and a person with the billing role can leave', async () => {
    await invite(MEMBERS, { role: 'billing' });
    done(await accept(MEMBER));
    expect(await remove(OWNER, MEMBER)).toMatchObject({ code: 'validation_failed' });
    expect(await remove(await idOf(MEMBERS), MEMBER)).toEqual({ ok: true, value: { removed: true } });
  });

  test('a link that is opened again, or after an interruption, gives the same place', async () => {
    await invite(MEMBERS);
    done(await accept(MEMBER));
    const { memberships: _, ...without } = (await service.get('accounts').get(MEMBER)) ?? anAccount();
    await service.get('accounts').revise(permit, { ...without, memberships: _ }, without, []);
    expect(await findInvitation(parts())({ account_id: MEMBER, owner_id: OWNER, product_id: 1 })).toBeDefined();
    done(await accept(MEMBER));
    expect(await check(await aKey(MEMBER), 'laptop')).toMatchObject({ value: { valid: true } });
    expect(done(await show()).seats).toEqual({ used: 2, limit: 3 });
  });

  test('a lowered quantity is mailed to the owner once, and the end of the purchase is not mailed', async () => {
    const buy = async (quantity: number, minute: number) => {
      const facts = { buyer: { ...buyer, email: OWNERS }, things: [{ price: 'p-seats', quantity }] };
      done(await service.get('recordSale')(BY_WEBHOOK, subscription(facts, minute)));
    };
    const prices = [{ ...(PRODUCTS[1]?.prices ?? [])[1], id: 'p-seats' }] as never;
    await service.get('catalogEditor').save(permit, { kind: 'product', value: { ...SEATS, prices } });
    await service.get('grants').saveEntitlement(permit, { ...three, revoked_at: service.get('clock').now() });
    await buy(3, 1);
    done(await invite(MEMBERS));
    await sendAll(service);
    mailer.sent.length = 0;
    for (const [n, quantity] of [1, 1, 3, 1].entries()) await buy(quantity, n + 2);
    await sendAll(service);
    expect(mailer.sent.filter(({ subject }) => subject.includes('More seats'))).toHaveLength(2);
  });

  test('a license with team members is not transferred, and their devices get perpetual files', async () => {
    await invite(MEMBERS);
    done(await accept(MEMBER));
    const key = await aKey(MEMBER);
    expect(await check(key, 'laptop')).toMatchObject({ value: { valid: true } });
    const files = await Array.fromAsync(exportOffline(parts())(permit, { to: 'files' }));
    expect(files).toMatchObject([
      { account_id: OWNER, files: [] },
      { account_id: MEMBER, files: [{ device_id: 'laptop' }] },
    ]);
    const move = () => service.get('transferGrant')(permit, { from: OWNER, id: three.id, email: 'third@example.com' });
    expect(await move()).toMatchObject({
      code: 'not_transferable',
      message: expect.stringContaining('1 other person'),
    });
    await remove(await idOf(MEMBERS));
    expect(await move()).toMatchObject({ ok: true });
  });

  test('two simultaneous inviters never give more seats than there are', async () => {
    const emails = Array.from({ length: 8 }, (_, n) => `person-${n}@example.com`);
    const made = await Promise.all(emails.map((email) => invite(email)));
    expect(made.filter(({ ok }) => ok)).toHaveLength(2);
    expect(done(await show()).seats).toEqual({ used: 3, limit: 3 });
  });
});
