import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { ClientPolicy } from '../../../domain/policy/client-policy.ts';
import { aBuyer, aStranger } from '../buyers.ts';
import { get, post, type Reply, send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { STOLEN_DEVICE, TOOL } from '../shop.ts';
import { LONGEST_CATALOG_AGE_MS } from '../times.ts';

const POLICY = '/api/client-config';
const KEYS = '/.well-known/jwks.json';

/** Retries `look`, because every process sees a change of the policy or its keys only after seconds. */
const soon = <T>(look: () => Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: LONGEST_CATALOG_AGE_MS, interval: 100 });

const typ = 'client-policy+jws';

/** Tests the signed client policy and the published keys that verify it. */
export const clientPolicySuite = (mount: () => Mount): void => {
  let key: string;

  beforeAll(async () => {
    ({ key } = await aStranger(mount().service));
  });

  const policy = (): Promise<Reply> => get(mount(), POLICY, key);
  const keys = async (): Promise<JSONWebKeySet> => (await get(mount(), KEYS)).body;

  /** The payload of a signature as a client reads it, after verifying it with one of the given keys. */
  const believed = async (signature: string, by: JSONWebKeySet) => {
    const { payload, protectedHeader } = await compactVerify(signature, createLocalJWKSet(by), {
      algorithms: ['EdDSA'],
    });
    expect(protectedHeader['typ']).toBe(typ);
    return JSON.parse(new TextDecoder().decode(payload));
  };

  test('the client policy has no signature before a signing key exists', async () => {
    const { body } = await policy();
    expect(body).toEqual({
      min_client_version: expect.stringMatching(/^0\.0\.\d+$/),
      revoked: expect.arrayContaining([{ product_id: TOOL, device_id: STOLEN_DEVICE }]),
      policy: { ttl_days: 14, recheck_hours: 24 },
      signed_at: expect.any(String),
      version: expect.any(Number),
    });
    expect((await keys()).keys).toHaveLength(1);
  });

  describe('the client policy with a signing key', () => {
    let kid: string;

    beforeAll(async () => {
      const created = await mount().service.get('createSigningKey')(grantPermit(), 'policy');
      if (!created.ok) throw new Error(created.code);
      ({ kid } = created.value);
      await soon(async () => expect((await policy()).body.signature).toEqual(expect.any(String)));
      await soon(async () => expect((await keys()).keys).toHaveLength(2));
    });

    test('the published keys verify the policy signature, and its payload is the document without the signature', async () => {
      const { signature, ...document } = (await policy()).body;
      expect(decodeProtectedHeader(signature)).toEqual({ alg: 'EdDSA', kid, typ });
      expect(await believed(signature, await keys())).toEqual(document);
    });

    test('a policy signature is invalid with a forged payload or with other keys', async () => {
      const { signature, ...document } = (await policy()).body;
      const [header, , signed] = signature.split('.');
      const forged = Buffer.from(JSON.stringify({ ...document, revoked: [] })).toString('base64url');
      await expect(believed(`${header}.${forged}.${signed}`, await keys())).rejects.toThrow(/signature/);
      const others = (await keys()).keys.filter((one) => one.kid !== kid);
      await expect(believed(signature, { keys: others })).rejects.toThrow(/no applicable key/);
    });

    test('two accounts get the same policy text and ETag, and a request with the ETag is 304', async () => {
      const other = await aBuyer(mount().service);
      const [mine, theirs] = [await policy(), await get(mount(), POLICY, other.key)];
      expect(theirs.text).toBe(mine.text);
      const etag = mine.headers.get('etag') as string;
      expect(theirs.headers.get('etag')).toBe(etag);
      const again = await get(mount(), POLICY, key, { 'If-None-Match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
    });

    describe('a change of the client policy', () => {
      const change = async (input: Partial<ClientPolicy>) => {
        const { revoked, policy: hours, min_client_version } = (await policy()).body;
        const set = await mount().service.get('setPolicy')(grantPermit(), {
          min_client_version,
          revoked,
          ...hours,
          ...input,
        });
        if (!set.ok) throw new Error(set.message);
        return soon(async () => {
          const reply = await policy();
          expect(reply.body.version).toBe(set.value.policy.version);
          return reply;
        });
      };

      // The tokens that other suites check have the days of the usual policy.
      afterAll(async () => void (await change({ ttl_days: 14 })));

      test('a changed policy has the next version, a new signature and a new ETag', async () => {
        const before = await policy();
        const after = await change({ min_client_version: '2.0.0', ttl_days: 7, recheck_hours: 24 });
        expect(after.body).toMatchObject({
          min_client_version: '2.0.0',
          policy: { ttl_days: 7, recheck_hours: 24 },
          version: before.body.version + 1,
        });
        expect(after.body.signed_at > before.body.signed_at).toBe(true);
        expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
        expect(await believed(after.body.signature, await keys())).toMatchObject({ version: before.body.version + 1 });
      });
    });

    test('a new signing key is listed before it signs, and policies of the old key stay valid after the change', async () => {
      const old = await policy();
      const created = await mount().service.get('createSigningKey')(grantPermit(), 'policy');
      if (!created.ok) throw new Error(created.code);
      const next = created.value.kid;
      const listed = await soon(async () => {
        const set = await keys();
        expect(set.keys.map((one) => one.kid)).toContain(next);
        return set;
      });
      expect(decodeProtectedHeader((await policy()).body.signature).kid).toBe(kid);

      const activate = mount().service.get('activateSigningKey');
      expect(await activate(grantPermit(), 'policy')).toMatchObject({ ok: false, code: 'key_too_new' });
      expect(await activate(grantPermit(), 'policy', { unlisted: true })).toMatchObject({
        ok: true,
        value: { kid: next },
      });
      const anew = await soon(async () => {
        const reply = await policy();
        expect(decodeProtectedHeader(reply.body.signature).kid).toBe(next);
        return reply;
      });
      expect(anew.headers.get('etag')).not.toBe(old.headers.get('etag'));

      const { signature, ...document } = anew.body;
      expect(await believed(signature, listed)).toEqual(document);
      const after = await keys();
      expect(await believed(signature, after)).toEqual(document);
      expect(await believed(old.body.signature, after)).toMatchObject({ version: old.body.version });
    });

    test('a policy of a revoked signing key is invalid, and one of the current key is valid', async () => {
      const revoke = mount().service.get('revokeSigningKey');
      const listed = (kids: readonly (string | undefined)[], isListed: boolean) =>
        soon(async () => {
          const set = await keys();
          for (const one of kids) expect(set.keys.some((other) => other.kid === one)).toBe(isListed);
          return set;
        });
      const before = await policy();
      const { kid: current = '' } = decodeProtectedHeader(before.body.signature);
      expect(current).not.toBe(kid);

      expect(await revoke(grantPermit(), 'policy', kid)).toMatchObject({ ok: true, value: { kid: current } });
      await believed((await policy()).body.signature, await listed([kid], false));

      expect(await revoke(grantPermit(), 'policy', current)).toMatchObject({ ok: false, code: 'no_next_key' });
      const created = await mount().service.get('createSigningKey')(grantPermit(), 'policy');
      if (!created.ok) throw new Error(created.code);
      const next = created.value.kid;
      expect(await revoke(grantPermit(), 'policy', current)).toMatchObject({ ok: true, value: { kid: next } });
      await listed([kid, current], false);
      const { signature, ...document } = await soon(async () => {
        const { body } = await policy();
        expect(decodeProtectedHeader(body.signature).kid).toBe(next);
        return body;
      });
      const after = await listed([next], true);
      expect(await believed(signature, after)).toEqual(document);
      await expect(believed(before.body.signature, after)).rejects.toThrow(/no applicable key/);
    });
  });

  describe('the published key set', () => {
    test('the key set is publicly cacheable for five minutes, and has a strong ETag', async () => {
      const { status, headers, text } = await get(mount(), KEYS);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/jwk-set+json']);
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const etag = headers.get('etag') as string;
      expect(etag).toMatch(/^"[\w-]{20,}"$/);
      const again = await get(mount(), KEYS, undefined, { 'If-None-Match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
      const head = await send(mount(), 'HEAD', KEYS);
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
      expect(text).not.toBe('');
    });

    test('the key set has only public key members', async () => {
      for (const one of (await keys()).keys) {
        expect(one).toEqual({
          kty: 'OKP',
          crv: 'Ed25519',
          x: expect.stringMatching(/^[\w-]{43}$/),
          kid: expect.stringMatching(/^[\w-]{43}$/),
          alg: 'EdDSA',
          use: 'sig',
        });
      }
    });

    test('the key set verifies a license token, whose type differs from that of a policy', async () => {
      const buyer = await aBuyer(mount().service);
      const { token } = (await post(mount(), '/api/license/check', buyer.key, { product_id: TOOL, device_id: 'mine' }))
        .body;
      const set = await keys();
      const verified = await jwtVerify(token, createLocalJWKSet(set), { typ: 'license+jws' });
      expect(verified.payload['sub']).toBe(String(buyer.account));
      expect(decodeProtectedHeader(token)['typ']).not.toBe(typ);
    });

    test('POST to the key set is 405', async () => {
      const reply = await send(mount(), 'POST', KEYS);
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });
  });
};
