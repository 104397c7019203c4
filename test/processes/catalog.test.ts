import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { aProduct, aRelease } from '../support/builders.ts';
import { aDisclosure } from '../support/public-builders.ts';
import { openService, type Prepared, prepareDataDir } from './data-dir.ts';
import { killServer, type ServerProcess, startServer } from './server.ts';

const STARTING_MS = 180_000;
/** The age of a copy on SQLite. */
const AGE_MS = 1000;
const permit = grantPermit();

describe('a catalog that one process changes and others serve', () => {
  const servers: ServerProcess[] = [];
  let prepared: Prepared;
  let operator: Awaited<ReturnType<typeof openService>>;

  beforeAll(async () => {
    prepared = await prepareDataDir(null);
    operator = await openService(prepared.dataDir);
    for (let n = 0; n < 2; n++) servers.push(await startServer(prepared.dataDir));
  }, STARTING_MS);
  afterAll(async () => {
    await operator.close();
    await Promise.all(servers.map((server) => killServer(server, 'SIGTERM')));
    prepared.remove();
  });

  /** The servers' answers to a request that begins once the copies' maximum age has passed. */
  const answers = async (path: string): Promise<unknown[]> => {
    await sleep(AGE_MS);
    return Promise.all(servers.map(async ({ url }) => (await fetch(url + path)).json()));
  };

  test('a change of the catalog is shown by every process once its copy has expired', async () => {
    const editor = operator.service.get('catalogEditor');
    for (const name of ['First', 'Second']) {
      const disclosure = aDisclosure();
      const value = { ...disclosure, en: { ...disclosure.en, company_name: name } };
      await editor.save(permit, { kind: 'disclosure', value });
      const shown = await answers('/api/public/disclosure');
      expect(shown).toEqual(servers.map(() => expect.objectContaining({ en: value.en })));
    }
  });

  test('a published release is shown by every process, and a withdrawn one by none', async () => {
    const { service } = operator;
    const product = aProduct({ id: 2, delivery: { ...aProduct().delivery, strategy: 'binary' } });
    await service.get('catalogEditor').save(permit, { kind: 'product', value: product });
    const save = async (withdrawn?: { at: string; reason: string }) => {
      const editor = service.get('releaseEditor');
      const release = aRelease({ id: 9, product_id: 2, ...(withdrawn && { withdrawn }) });
      await editor.save(permit, release, await editor.read(2, release.version));
    };
    await save();
    const versions = async () =>
      JSON.stringify(await answers('/api/downloads/pipeline')).match(/"version":"[^"]*"/g)?.length ?? 0;
    expect(await versions()).toBeGreaterThan(0);
    await save({ at: '2026-01-01T00:00:00.000Z', reason: 'broken' });
    expect(await versions()).toBe(0);
  });
});
