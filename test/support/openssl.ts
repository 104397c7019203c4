import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The DER prefix before the 32 bytes of an Ed25519 public key (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** True if OpenSSL verifies a file against Sparkle's `SUPublicEDKey` and `edSignature`, both base64. */
export const opensslVerifies = (publicKey: string, file: Uint8Array, signature: string): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'openssl-'));
  try {
    writeFileSync(join(folder, 'key.der'), Buffer.concat([SPKI, Buffer.from(publicKey, 'base64')]));
    writeFileSync(join(folder, 'file'), file);
    writeFileSync(join(folder, 'signature'), Buffer.from(signature, 'base64'));
    const key = ['-pubin', '-keyform', 'DER', '-inkey', 'key.der'];
    const args = ['pkeyutl', '-verify', '-rawin', ...key, '-in', 'file', '-sigfile', 'signature'];
    const { error, status } = spawnSync('openssl', args, { cwd: folder });
    if (error) throw error;
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
