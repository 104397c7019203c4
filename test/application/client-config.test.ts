import { beforeEach, describe, expect, test } from 'vitest';
import { Ed25519PolicySigner } from '../../adapters/crypto/policy-signer.ts';
import { MemoryKeyRings } from '../../adapters/memory/memory-key-rings.ts';
import { StoredCatalogs } from '../../adapters/store/catalogs.ts';
import type { PrivateKey } from '../../domain/policy/key-ring.ts';
import { addDays, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { NOW } from '../support/builders.ts';
import { memoryEngines, memoryService } from '../support/service.ts';

class CountingSigner extends Ed25519PolicySigner {
  signed = 0;

  override sign(key: PrivateKey, document: object): string {
    this.signed++;
    return super.sign(key, document);
  }
}

let engines: ReturnType<typeof memoryEngines> & { keyRings: MemoryKeyRings };

beforeEach(() => {
  engines = { ...memoryEngines(), keyRings: new MemoryKeyRings() };
});

/** A process of its own on the same store and keys, at a time of its own. */
const aProcess = (now: Instant) => {
  const clock = { at: now, now: () => clock.at };
  const policySigner = new CountingSigner();
  const catalogs = new StoredCatalogs(engines.table, 'unbounded');
  const service = memoryService({ clock, policySigner, catalogs }, engines);
  return { clock, policySigner, service, document: () => service.get('showClientConfig').execute() };
};
const hours = (n: number): Instant => toInstant(millis(NOW) + n * 3_600_000);

describe('the signed policy', () => {
  test('is the same text from processes that never spoke to each other, anywhere within a period', async () => {
    const [one, other] = [aProcess(hours(0)), aProcess(hours(5))];
    await one.service.get('createSigningKey').execute();
    const later = aProcess(hours(6));
    const documents = [await other.document(), await later.document()];
    expect(JSON.stringify(documents[0])).toBe(JSON.stringify(documents[1]));
    expect(documents[0]?.signature).toEqual(expect.any(String));
  });

  test('is signed once for all who ask, and anew before a 24th of its life is over', async () => {
    const { clock, policySigner, service, document } = aProcess(NOW);
    await service.get('createSigningKey').execute();
    const first = await document();
    for (let n = 0; n < 20; n++) expect(await document()).toBe(first);
    expect(policySigner.signed).toBe(1);
    clock.at = addDays(NOW, 1);
    const second = await document();
    expect(policySigner.signed).toBe(2);
    expect(second.signed_at > first.signed_at).toBe(true);
    expect(millis(clock.at) - millis(second.signed_at)).toBeLessThan((14 * 24 * 3_600_000) / 24);
    expect({ ...second, signed_at: '', signature: '' }).toEqual({ ...first, signed_at: '', signature: '' });
  });

  test('says that it was signed no sooner than its key came into use', async () => {
    const { service, document } = aProcess(hours(1));
    await service.get('createSigningKey').execute();
    expect((await document()).signed_at).toBe(hours(1));
  });
});

test('of processes that make the first key at once, one makes that and another the next', async () => {
  const made = await Promise.all(
    Array.from({ length: 5 }, () => aProcess(NOW).service.get('createSigningKey').execute()),
  );
  expect(made.filter(({ ok }) => ok)).toHaveLength(2);
  const { ring } = await engines.keyRings.read();
  expect(ring.map(({ current_from }) => current_from)).toEqual([NOW, null]);
});
