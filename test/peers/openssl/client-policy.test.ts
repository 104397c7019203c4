import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { aStranger } from '../../surface/buyers.ts';
import { get } from '../../surface/client.ts';
import { IN_MEMORY, openExpressMount } from '../../surface/express-mount.ts';
import type { Mount } from '../../surface/mount.ts';
import { openShop } from '../../surface/shop.ts';

/** The prefix before the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410, section 4). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

type Jwk = { readonly kid: string; readonly x: string };

let mount: Mount;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'openssl-'));
  mount = await openExpressMount(IN_MEMORY);
  await openShop(mount.service);
  await mount.service.get('createSigningKey')(grantPermit(), 'policy');
});
afterAll(async () => {
  await mount.close();
  rmSync(folder, { recursive: true });
});

const fetched = async () => {
  const { key } = await aStranger(mount.service);
  const [policy, set] = [await get(mount, '/api/client-config', key), await get(mount, '/.well-known/jwks.json')];
  return { document: policy.body, keys: set.body.keys as readonly Jwk[] };
};

/** True if OpenSSL verifies a compact JWS with a published key. */
const verifies = (jws: string, { x }: Jwk): boolean => {
  const [header, payload, signature = ''] = jws.split('.');
  writeFileSync(join(folder, 'input'), `${header}.${payload}`);
  writeFileSync(join(folder, 'signature'), Buffer.from(signature, 'base64url'));
  writeFileSync(join(folder, 'key.der'), Buffer.concat([SPKI_HEAD, Buffer.from(x, 'base64url')]));
  execFileSync('openssl', ['pkey', '-pubin', '-inform', 'DER', '-in', 'key.der', '-out', 'key.pem'], { cwd: folder });
  const files = ['-pubin', '-inkey', 'key.pem', '-in', 'input', '-sigfile', 'signature'];
  return spawnSync('openssl', ['pkeyutl', '-verify', '-rawin', ...files], { cwd: folder }).status === 0;
};

describe('the client policy in OpenSSL', () => {
  test('the client policy verifies with the published key that it names and with no other key', async () => {
    const { document, keys } = await fetched();
    const { kid } = JSON.parse(Buffer.from(document.signature.split('.')[0], 'base64url').toString());
    expect(keys.length).toBeGreaterThan(1);
    for (const key of keys) expect(verifies(document.signature, key)).toBe(key.kid === kid);
  });

  test('the client policy does not verify when its payload was changed', async () => {
    const { document, keys } = await fetched();
    const [header, payload, signature] = document.signature.split('.');
    const text = Buffer.from(payload, 'base64url').toString();
    const forged = Buffer.from(text.replace('"ttl_days":14', '"ttl_days":15')).toString('base64url');
    expect(forged).not.toBe(payload);
    expect(verifies(`${header}.${payload}.${signature}`, keys[0] as Jwk)).toBe(true);
    expect(verifies(`${header}.${forged}.${signature}`, keys[0] as Jwk)).toBe(false);
  });
});
