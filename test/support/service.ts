import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Ed25519ArtifactSigner } from '../../adapters/crypto/artifact-signer.ts';
import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import type { Passwords } from '../../ports/outbound/accounts.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/everything.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import type { Overrides, Service } from '../../runtimes/composition/service.ts';

const API = 'http://127.0.0.1';

/** Engines that live as long as the test. Services on the same engines see each other's writes at once. */
export const memoryEngines = () => {
  const key = () => generateKeyPairSync('ed25519').privateKey;
  return {
    table: new MemoryTable(),
    objects: new MemoryObjects(new DownloadSignature({ secret: randomBytes(32), baseUrl: API })),
    licenseSigner: new Ed25519Signer(key()),
    artifactSigner: new Ed25519ArtifactSigner(key()),
  };
};

/** Passwords with random salts like the real ones, but without their cost. */
const cheapPasswords: Passwords = {
  hash: async (password) => `${randomBytes(8).toString('hex')}:${password}`,
  verify: async (password, hash) => hash.endsWith(`:${password}`),
};

/** The wired service. Its catalog is cached for 1 ms only, so that each read sees the writes of other services. */
export const memoryService = (overrides: Overrides = {}, engines = memoryEngines()): Service => {
  const urls = { api: API, design: API, app: API, account: API };
  return bootstrap({ urls, perAccount: 1e6, perAddress: 1e6, catalogAge: 1 }, engines, EVERY_AREA, {
    passwords: cheapPasswords,
    ...overrides,
  });
};
