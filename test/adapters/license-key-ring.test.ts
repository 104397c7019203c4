import { describe, expect, test, vi } from 'vitest';
import { signingKeyMaker } from '../../adapters/crypto/ed25519-keys.ts';
import { LicenseKeyRing } from '../../adapters/crypto/license-signer.ts';
import { millis } from '../../domain/shared/instant.ts';
import {
  firstRing,
  type SigningKeyRing,
  withActivated,
  withNewKey,
  withRevoked,
} from '../../domain/signing/signing-key-ring.ts';
import { NOW } from '../support/builders.ts';
import { done } from '../support/outcomes.ts';
import { verified } from '../support/signing-keys.ts';

const TYPE = 'license+jws';
const CLAIMS = { sub: '1' };

/** A key store that the test changes, as another process's command line does. */
const aPlace = (keptFor = 0) => {
  const place = { keptFor, ring: firstRing(signingKeyMaker.newKey(), NOW) as SigningKeyRing, reads: 0 };
  const read = async () => {
    place.reads++;
    // Every read parses the text again.
    return { ring: structuredClone(place.ring), version: '1' };
  };
  const change = (by: (ring: SigningKeyRing) => { ok: true; value: SigningKeyRing } | { ok: false; code: string }) => {
    place.ring = done(by(place.ring) as Parameters<typeof done<SigningKeyRing>>[0]);
  };
  return { place, change, signer: new LicenseKeyRing({ keptFor, read }) };
};

const kidOf = (jws: string): string => JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()).kid;

describe('a license signer with a ring of keys', () => {
  test('cached keys are used without waiting or reading', async () => {
    const { place, signer } = aPlace(60_000);
    await signer.fresh();
    for (let n = 0; n < 100; n++) {
      expect(signer.fresh()).toBeUndefined();
      signer.sign(TYPE, { n });
    }
    expect(place.reads).toBe(1);
  });

  test('unread keys sign nothing', () => {
    expect(() => aPlace().signer.sign(TYPE, CLAIMS)).toThrow('before they were read');
  });

  test('a rotation is followed at the next read: the next key is listed, then signs, and old tokens stay valid', async () => {
    const { place, change, signer } = aPlace();
    await signer.fresh();
    const old = signer.sign(TYPE, CLAIMS);
    change((ring) => withNewKey(ring, signingKeyMaker.newKey(), NOW));
    await signer.fresh();
    expect(signer.sign(TYPE, CLAIMS)).toBe(old);
    const listed = signer.publicJwks();
    expect(listed.map(({ kid }) => kid)).toEqual(place.ring.map(({ kid }) => kid));

    change((ring) => withActivated(ring, 'license', NOW, { unlisted: true }));
    await signer.fresh();
    const anew = signer.sign(TYPE, CLAIMS);
    expect([kidOf(old), kidOf(anew)]).toEqual(listed.map(({ kid }) => kid));
    for (const token of [old, anew]) {
      expect(signer.verify(TYPE, token)).toEqual(CLAIMS);
      expect(verified(token, listed)?.payload).toEqual(CLAIMS);
    }
    expect(signer.verify('other+jws', old)).toBeUndefined();
  });

  test('a signer that knows of an activation changes its key at the handover without another read', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: millis(NOW) });
    try {
      const { place, change, signer } = aPlace(60_000);
      change((ring) => withNewKey(ring, signingKeyMaker.newKey(), NOW));
      change((ring) => withActivated(ring, 'license', NOW, { unlisted: true, in: 120_000 }));
      await signer.fresh();
      const signs = () => place.ring.findIndex(({ kid }) => kid === kidOf(signer.sign(TYPE, CLAIMS)));
      expect(signs()).toBe(0);
      vi.setSystemTime(millis(NOW) + 119_999);
      expect(signs()).toBe(0);
      vi.setSystemTime(millis(NOW) + 120_000);
      expect([signs(), place.reads]).toEqual([1, 1]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a token of a revoked key is invalid, and the next key signs in its place', async () => {
    const { place, change, signer } = aPlace();
    await signer.fresh();
    const stolen = signer.sign(TYPE, CLAIMS);
    change((ring) => withNewKey(ring, signingKeyMaker.newKey(), NOW));
    change((ring) => withRevoked(ring, 'license', kidOf(stolen), NOW));
    await signer.fresh();
    expect(signer.verify(TYPE, stolen)).toBeUndefined();
    expect(verified(stolen, signer.publicJwks())).toBeNull();
    expect(signer.publicJwks()).toHaveLength(1);
    expect(kidOf(signer.sign(TYPE, CLAIMS))).toBe(place.ring[0]?.kid);
  });

  test('a ring that is read again unchanged keeps its signed texts', async () => {
    const { signer } = aPlace();
    await signer.fresh();
    signer.sign(TYPE, CLAIMS);
    await signer.fresh();
    const stringify = vi.spyOn(Buffer, 'from');
    signer.sign(TYPE, CLAIMS);
    expect(stringify).not.toHaveBeenCalled();
    stringify.mockRestore();
  });
});
