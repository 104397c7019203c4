import { describe, expect, test } from 'vitest';
import { SIGNERS } from '../../support/payment-bodies.ts';

const MINUTE = 60_000;

describe.each(Object.values(SIGNERS))('an event of $name', ({ secret, otherSecret, open, sign, order }) => {
  const provider = open([otherSecret, secret]);
  const body = JSON.stringify(order());
  const verify = (text: string, headers: Readonly<Record<string, string>>, now = Date.now()) =>
    provider.verify(Buffer.from(text), headers, new Date(now).toISOString());
  const refused = (code: string) => ({ ok: false, code });

  test('an event signed by the provider’s package is accepted with its id, type and exact body', async () => {
    const verified = await verify(body, sign(body));
    expect(verified).toMatchObject({ ok: true, value: { body } });
    expect(verified.ok && verified.value.id).toMatch(/^[\w.:-]+$/);
    expect(verified.ok && verified.value.type).not.toBe('');
  });

  test('an event signed with any current secret is accepted, and with a former one refused', async () => {
    expect(await verify(body, sign(body, Date.now(), otherSecret))).toMatchObject({ ok: true });
    const former = open([otherSecret]).verify(Buffer.from(body), sign(body), new Date().toISOString());
    expect(await former).toMatchObject(refused('webhook_signature_invalid'));
  });

  test('an event with a changed byte, another body’s signature or none is refused', async () => {
    const changed = body.replace('{', '{ ');
    expect(await verify(changed, sign(body))).toMatchObject(refused('webhook_signature_invalid'));
    expect(await verify(body, sign(changed))).toMatchObject(refused('webhook_signature_invalid'));
    const [name = ''] = Object.keys(sign(body)).slice(-1);
    for (const signature of ['', 't=,v1=', 'ts=;h1=', 'v1,', `${sign(body)[name]}00`]) {
      expect(await verify(body, { ...sign(body), [name]: signature })).toMatchObject({ ok: false });
    }
  });

  test('an event is refused as too old after six minutes and accepted after four', async () => {
    expect(await verify(body, sign(body, Date.now() - 4 * MINUTE))).toMatchObject({ ok: true });
    expect(await verify(body, sign(body, Date.now() - 6 * MINUTE))).toMatchObject(refused('webhook_too_old'));
    expect(await verify(body, sign(body, Date.now() + 6 * MINUTE))).toMatchObject(refused('webhook_too_old'));
  });

  test('an event that is signed but not JSON, or has no type, is malformed', async () => {
    for (const text of ['', 'no json', '[]', '{}', '{"id":"a b","event_id":"ü"}']) {
      expect(await verify(text, sign(text || ' '))).toMatchObject({ ok: false });
    }
    expect(await verify('{"x":1}', sign('{"x":1}'))).toMatchObject(refused('malformed_body'));
  });

  test('an event that concerns no sale records nothing', async () => {
    const other = JSON.stringify({ ...order(), type: 'toString', event_type: 'constructor' });
    expect(await provider.tell(other, async () => undefined)).toEqual({ ok: true, value: { events: [], names: {} } });
  });

  test('an event with undocumented data is refused, and the message names the place', async () => {
    const empty = JSON.stringify({ ...order(), data: { object: {} } });
    const told = await provider.tell(empty, async () => undefined);
    expect(told).toMatchObject(refused('not_understood'));
    expect(!told.ok && told.message).toMatch(/^The event's [\w.]+ is not as documented: /);
  });
});

test.each([
  'a b',
  'x'.repeat(129),
  'ü',
])('a correctly signed event with the id %j is refused for its id, and not for its signature', async (id) => {
  const { open, secret, sign, order } = SIGNERS.shop;
  const body = JSON.stringify(order());
  const verified = await open([secret]).verify(
    Buffer.from(body),
    sign(body, Date.now(), secret, id),
    new Date().toISOString(),
  );
  expect(verified).toMatchObject({ ok: false, code: 'malformed_body', message: expect.stringContaining('1 to 128') });
});
