import { beforeEach, describe, expect, test } from 'vitest';
import { actorOf } from '../../../domain/access/actor.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { principalOfSession } from '../../../domain/access/principal.ts';
import { addDays, type Instant, millis, toInstant } from '../../../domain/shared/instant.ts';
import type { Session } from '../../../domain/sign-in/session.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../support/account-builders.ts';
import { letIn } from '../../support/account-pages.ts';
import { anApiKey } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aClock } from '../../support/fakes.ts';
import { aMailer, MAILING, sendAll } from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';
import { accountEntry, importInto } from '../../support/store-folder.ts';

const PERMIT = grantPermit();
const OWN = 'buyer-1@example.com';
const SENDER = { browser: 'Firefox', address: '192.0.2.7' };

describe('the sign-in methods of an account', () => {
  const mailer = aMailer();
  const clock = aClock();
  let service: Service;
  let get: Service['get'];

  beforeEach(async () => {
    clock.at = toInstant(millis(addDays(new Date().toISOString(), 0)));
    service = memoryService({ clock, mailer }, memoryEngines(), MAILING);
    get = service.get;
    await put(service, { accounts: [anAccount({ created_at: clock.at }), anAccount({ id: 2 })] });
  });

  const passkey = (id: string, account_id = 1) => ({
    ...{ id, account_id, name: id, public_key: 'AA', counter: 0, transports: [], created_at: clock.at },
    last_used_at: null,
  });
  const pass = (minutes: number) => {
    clock.at = toInstant(millis(clock.at) + minutes * 60_000);
  };
  const aKey = async (id: number, account_id = 1) => {
    const scope = await get('apiKeys').scope(account_id, null);
    const key = anApiKey({ id, account_id, hash: `hash-${id}`, created_at: clock.at });
    await get('apiKeys').change(PERMIT, scope, { add: key }, clock.at);
  };
  const waysOf = async (id: number) => done(await get('listWaysIn')(id)).map(({ way }) => way);
  const signIn = async (): Promise<Session> => done(await get('openSession')(1, 'link', SENDER)).session;

  /** Opens every way into account 1. */
  const openAll = async (word: string, id: number): Promise<void> => {
    await get('passkeys').add(PERMIT, passkey(`${word}-passkey`), []);
    await signIn();
    await aKey(id);
    const app = {
      grant_id: `${word}-grant`,
      client_id: word,
      account_id: 1,
      created_at: clock.at,
      last_used_at: clock.at,
    };
    await letIn(service, [{ ...app, client_name: word, permissions: [] } as never]);
    done(await get('createSignInLink')(PERMIT, 1));
  };

  /** Changes the account's address in the browser of a session. Returns the code in the mail that undoes it. */
  const move = async (session: Session, email: string): Promise<string> => {
    const input = { session, email, address: SENDER.address, locale: 'en' } as const;
    done((await get('askForEmailChange')?.(PERMIT, input)) as never);
    await sendAll(service);
    const code = codeOf(mailer.sent.at(-1)?.text);
    const permit = grantPermit(() => actorOf(principalOfSession(session), '/profile/email/change', SENDER.address));
    done(await get('changeEmail')(permit, { session, code, address: SENDER.address, known: null }));
    await sendAll(service);
    return codeOf(mailer.sent.at(-1)?.text);
  };
  const codeOf = (text = ''): string => /code=([\w-]+)/.exec(text)?.[1] ?? '';
  const ANYONE = grantPermit(() => ({
    kind: 'anyone',
    id: null,
    account_id: null,
    through: '/undo-email',
    from: null,
  }));
  const undo = (code: string) => get('undoEmailChange')(ANYONE, { code, address: SENDER.address });
  const emailOf = async (id: number) => (await get('accounts').get(id))?.email;

  test('one list shows all sign-in methods, and one command ends them all', async () => {
    await get('accounts').save(PERMIT, anAccount({ created_at: clock.at, password_hash: 'hash' }));
    await get('upstreamLinks').add({ issuer: 'https://id.example.com', subject: 's' }, 1);
    await openAll('own', 6);
    await aKey(7, 2);
    const all = ['password', 'passkey', 'browser', 'key', 'app', 'link', 'provider'];
    expect(await waysOf(1)).toEqual(all);
    expect(done(await get('lockOut')(PERMIT, 1)).map(({ way }) => way)).toEqual(all);
    expect([await waysOf(1), await waysOf(2)]).toEqual([[], ['key']]);
    expect(await get('lockOut')(PERMIT, 9)).toMatchObject({ code: 'account_not_found' });
    done(await get('createSignInLink')(PERMIT, 1));
    expect(await waysOf(1)).toEqual(['link']);
  });

  test('the former address can undo a change for a week, which restores it and ends everything added since the week before', async () => {
    await openAll('own', 6);
    pass(7 * 24 * 60);
    await openAll('new', 8);
    pass(1);
    const code = await move(await signIn(), 'thief@example.com');
    expect(mailer.sent.at(-1)?.to).toBe(OWN);
    await get('accounts').save(PERMIT, {
      ...anAccount({ created_at: clock.at }),
      email: 'thief@example.com',
      password_hash: 'thief',
    });
    pass(1);
    await openAll('thief', 7);
    expect(await get('peekUndo')(code)).toBe(OWN);
    expect(await emailOf(1)).toBe('thief@example.com');
    clock.at = toInstant(millis(addDays(clock.at, 7)) - 180_000);
    expect(await undo(code)).toMatchObject({ ok: true });
    expect(await get('accounts').get(1)).toMatchObject({ email: OWN, password_hash: null });
    expect(done(await get('listWaysIn')(1)).map(({ way, name }) => `${way} ${name}`)).toEqual([
      'passkey own-passkey',
      expect.stringMatching(/^key/),
      'app null',
    ]);
    expect(await undo(code)).toMatchObject({ code: 'link_not_usable' });
    await sendAll(service);
    const told = mailer.sent.findLast(({ to }) => to === 'thief@example.com');
    expect(told?.subject).toBe('The email address of your account was changed');
    expect(told?.text).not.toContain('code=');
  });

  test.each([
    ['a lock-out', () => get('lockOut')(PERMIT, 1)],
    ['the undoing of a change', async () => undo(await move(await signIn(), 'thief@example.com'))],
  ])('a device that a thief approved gets no key after %s', async (_, end) => {
    const input = { client_id: 'cli', device_id: 'd', device_name: null, address: SENDER.address };
    const { device_code, user_code } = done(await get('startDeviceSignIn')(input));
    const approval = { account_id: 1, address: SENDER.address, user_code, device_name: null };
    done(await get('decideDeviceSignIn')(PERMIT, { ...approval, decision: 'approve' }));
    pass(1);
    done<unknown>((await end()) as never);
    const redeemed = await get('redeemDeviceSignIn')(PERMIT, { device_code, client_id: 'cli' });
    expect(redeemed).toMatchObject({ code: 'access_denied' });
    expect(await waysOf(1)).toEqual([]);
  });

  test.each([
    ['a lock-out', () => get('lockOut')(PERMIT, 1)],
    ['a reset', () => get('resetPassword')(PERMIT, { account_id: 1, password: 'a new one', passkeys: true })],
    [
      'a new password',
      async () => {
        const input = { session: await signIn(), current: null, next: 'a new one', known: null };
        const set = await get('setPassword')(PERMIT, { ...input, passkeys: ['thief'] });
        await get('endSession')(input.session);
        return set;
      },
    ],
  ])('a browser signed in by a passkey just before %s removes it is signed out', async (_, end) => {
    const passkeys = get('passkeys');
    await passkeys.add(PERMIT, passkey('thief'), []);
    const remove = passkeys.remove.bind(passkeys);
    passkeys.remove = async (...removal) => {
      await signIn();
      return remove(...removal);
    };
    done<unknown>((await end()) as never);
    expect(await passkeys.of(1)).toEqual([]);
    expect(await get('listSessions')(1)).toEqual([]);
  });

  test.each([
    ['rename', () => get('renameAccount')(PERMIT, { account_id: 1, email: OWN })],
    ['import', () => importInto(service, '/nowhere', { accounts: [accountEntry({ id: 1, email: OWN })] })],
  ])('after the operator set the address by %s, no thief’s link undoes it', async (_, settle) => {
    const session = await signIn();
    await move(session, 'thief@example.com');
    pass(1);
    const second = await move(session, 'further@example.com');
    pass(1);
    await settle();
    expect(await undo(second)).toMatchObject({ code: 'link_not_usable' });
    expect(await emailOf(1)).toBe(OWN);
  });

  test('the undo link expires a week after the change, and links of other kinds undo nothing', async () => {
    const session = await signIn();
    const code = await move(session, 'new@example.com');
    const other = done(await get('createSignInLink')(PERMIT, 1)).code;
    for (const wrong of [other, 'x', '']) expect(await undo(wrong)).toMatchObject({ code: 'link_not_usable' });
    expect((await get('peekSignInLink')(code))?.is_usable).toBeFalsy();
    expect(await get('useSignInLink')({ code, ...SENDER })).toMatchObject({ code: 'link_not_usable' });
    expect(await get('changeEmail')(PERMIT, { session, code, address: SENDER.address, known: null })).toMatchObject({
      code: 'link_not_usable',
    });
    clock.at = addDays(clock.at, 7);
    expect(await undo(code)).toMatchObject({ code: 'link_not_usable' });
  });

  const steps: [string, (first: string, second: string) => Promise<void>][] = [
    [
      'the owner first',
      async (first, second) => {
        expect(await undo(first)).toMatchObject({ ok: true });
        expect(await undo(second)).toMatchObject({ code: 'link_not_usable' });
      },
    ],
    [
      'the thief first',
      async (first, second) => {
        expect(await undo(second)).toMatchObject({ ok: true });
        expect(await emailOf(1)).toBe('thief@example.com');
        pass(1);
        expect(await undo(first)).toMatchObject({ ok: true });
        expect(await undo(second)).toMatchObject({ code: 'link_not_usable' });
      },
    ],
    [
      'both at once',
      async (first, second) => {
        await Promise.all([undo(second), undo(first)]);
        pass(1);
        await undo(first);
      },
    ],
  ];

  test.each(steps)('a thief who changed the address again can’t take the account back: %s', async (_, both) => {
    const session = await signIn();
    const first = await move(session, 'thief@example.com');
    pass(1);
    await both(first, await move(session, 'further@example.com'));
    expect(await emailOf(1)).toBe(OWN);
  });

  test('a restored account can change its address again, and undo that too', async () => {
    expect(await undo(await move(await signIn(), 'thief@example.com'))).toMatchObject({ ok: true });
    pass(1);
    const again = await move(await signIn(), 'thief@example.com');
    expect(await undo(again)).toMatchObject({ ok: true });
    expect(await emailOf(1)).toBe(OWN);
  });

  test('an address that another account took is refused, and the link works once it is free', async () => {
    const code = await move(await signIn(), 'thief@example.com');
    await put(service, { accounts: [anAccount({ id: 2, email: OWN })] });
    expect(await undo(code)).toMatchObject({ code: 'email_taken' });
    await put(service, { accounts: [anAccount({ id: 2, email: 'other@example.com' })] });
    expect(await undo(code)).toMatchObject({ ok: true });
  });

  test('a change that the thief requested earlier fails after the undo, and so does a simultaneous one', async () => {
    const session = await signIn();
    const input = { session, email: 'second@example.com', address: SENDER.address, locale: 'en' } as const;
    done((await get('askForEmailChange')?.(PERMIT, input)) as never);
    await sendAll(service);
    const pending = codeOf(mailer.sent.at(-1)?.text);
    const code = await move(session, 'thief@example.com');
    await undo(code);
    const change = await get('changeEmail')(PERMIT, { session, code: pending, address: SENDER.address, known: null });
    expect(change).toMatchObject({ code: 'link_not_usable' });
    expect(await emailOf(1)).toBe(OWN);
  });

  test('no link restores an erased account, and a change of address by the operator has no undo link', async () => {
    const code = await move(await signIn(), 'thief@example.com');
    done(await get('eraseAccount')(PERMIT, { account_id: 1 }));
    expect(await undo(code)).toMatchObject({ code: 'link_not_usable' });
    const permit = grantPermit(() => ({
      kind: 'command',
      id: 'op',
      account_id: null,
      through: 'account rename',
      from: null,
    }));
    done(await get('renameAccount')(permit, { account_id: 2, email: 'renamed@example.com' }));
    await sendAll(service);
    expect(mailer.sent.at(-1)).toMatchObject({ to: 'buyer-2@example.com' });
    expect(mailer.sent.at(-1)?.text).not.toContain('code=');
  });

  test('an interrupted undo is completed by the same link', async () => {
    const code = await move(await signIn(), 'thief@example.com');
    pass(1);
    await aKey(9);
    const read = await get('accounts').get(1);
    const link = (await get('signInLinks').of(1)).find(({ undoes }) => undoes !== undefined);
    if (!read || !link?.undoes) throw new Error('There is no link.');
    const ended: { from: Instant; at: Instant } = { from: link.undoes, at: clock.at };
    await get('accounts').revise(PERMIT, read, { ...read, email: OWN, ways_in_ended: ended }, []);
    expect(await undo(code)).toMatchObject({ ok: true });
    expect(await waysOf(1)).toEqual([]);
  });
});
