import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { node } from './support.ts';

/*
 * A team's own licenses, table and object store pass the contracts of the installed package, in the team's own Vitest.
 */

const TESTS = `
import { start } from 'account-service';
import { licensesContract, objectStoreContract, tableContract, tableDumpContract } from 'account-service/contracts';
import { allEntries } from 'account-service/table';
import { MemoryObjects } from 'account-service/object-stores';
import { teamLicenses } from './own-app/team-licenses.ts';
import { expect, test } from 'vitest';
import { lmdb } from './lmdb-engine/engine.ts';

const from = '2025-01-01T00:00:00.000Z';
const customers = [{ id: 7 }, { id: 8 }];
const change = (id, studio) => void Object.assign(customers.find((one) => one.id === id), { studio });
licensesContract('the licenses of a team', () => {
  for (const { id } of customers) change(id, undefined);
  return {
    licenses: teamLicenses(customers, async () => ({ entitlements: [], subscriptions: [] })),
    accounts: [7, 8],
    unknown: 9,
    products: [1],
    grant: (id) => change(id, { from, until: null }),
    end: (id) => change(id, { from, until: '2025-06-01T00:00:00.000Z' }),
  };
});

const open = async () => (await lmdb.open('lmdb-contract/table', 'serving')).table;
tableContract('LMDB', open, { outage: null, another: open });
tableDumpContract('LMDB', () => lmdb.open('lmdb-contract/dump', 'serving'), { outage: null });

test.each(['table', 'dump'])('the contract suites leave only expired entries in the folder %s', async (name) => {
  const { table, dump } = await lmdb.open('lmdb-contract/' + name, 'serving');
  expect(await Array.fromAsync(allEntries(dump, Math.floor(Date.now() / 1000)))).toEqual([]);
  await table.close();
});

/** A team's own object store, whose URLs the started server serves. */
class OwnObjects {
  #kept;
  constructor({ downloads, uploads }) {
    this.#kept = new MemoryObjects(downloads, uploads);
  }
  put(...asked) { return this.#kept.put(...asked); }
  stat(...asked) { return this.#kept.stat(...asked); }
  open(...asked) { return this.#kept.open(...asked); }
  examine(...asked) { return this.#kept.examine(...asked); }
  remove(...asked) { return this.#kept.remove(...asked); }
  signDownload(...asked) { return this.#kept.signDownload(...asked); }
  signUpload(...asked) { return this.#kept.signUpload(...asked); }
  list(...asked) { return this.#kept.list(...asked); }
  async ping() {}
}

objectStoreContract('a store of a team', async () => {
  const own = {
    variable: null,
    takes: 'nothing',
    open: async (_place, sign) => {
      const signatures = await sign();
      const objects = new OwnObjects(signatures);
      return { objects, listing: objects, signatures };
    },
  };
  const env = { STORE: 'memory', OBJECTS: 'own', SAMPLE_STORE: 'never', LOG_LEVEL: 'silent' };
  const ports = { API_PORT: '0', APP_PORT: '0', DESIGN_PORT: '0', ACCOUNT_PORT: '0', SHOP_PORT: '0', DATA_DIR: 'own-objects' };
  const { service, stop } = await start({ ...env, ...ports }, { engines: { objects: { own } }, print: () => {} });
  return { store: service.get('objects'), close: stop };
});
`;

test('a team’s licenses, LMDB table and object store pass the contract suites', async () => {
  // The compiler ignores JavaScript, so another test can compile the folder meanwhile.
  await writeFile(join(inject('full'), 'contracts.test.js'), TESTS);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', 'contracts.test.js'];
  const ran = await node('full', vitest, { NO_COLOR: '1' }).catch((error) => error);
  expect(`${ran.stderr}${ran.stdout}`).toMatch(/ Tests {2}[2-9]\d\d passed \(/);
}, 300_000);
