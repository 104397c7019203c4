import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Ed25519Signer } from '../../adapters/crypto/license-signer.ts';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { UploadSignature } from '../../adapters/filesystem/upload-signature.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { byHost } from '../../ports/inbound/hosts.ts';
import type { Settings } from '../../runtimes/composition/settings.ts';
import { memoryKeyRings } from '../../runtimes/engines/signing-keys.ts';

/* The engines of every service in memory. A test uses them directly if services share them or one is replaced. */

export const SETTINGS: Settings = {
  urls: byHost((host) => `https://${host}.example.com`),
  perAccount: 120,
  perAgent: 600,
  perAddress: 60,
  catalogAge: 'unbounded',
};

export const API = SETTINGS.urls.api;

/** Engines that live as long as the test. Services on the same engines see each other's writes immediately. */
export const memoryEngines = () => {
  const secret = randomBytes(32);
  const table = new MemoryTable();
  return {
    table,
    tableScan: table,
    objects: new MemoryObjects(
      new DownloadSignature({ secret, baseUrl: API }),
      new UploadSignature({ secret, baseUrl: SETTINGS.urls.design }),
    ),
    signingKeyRings: memoryKeyRings(),
    licenseSigner: new Ed25519Signer(generateKeyPairSync('ed25519').privateKey),
  };
};
