import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scryptPasswords } from '../../../adapters/crypto/passwords.ts';
import { FilesystemExport } from '../../../adapters/filesystem/export-folder.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { loadStoreFile } from '../../../runtimes/files/load-document.ts';
import { anAccount } from '../../support/account-builders.ts';
import { WHOLE } from '../../support/billing-entries.ts';
import { anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { aDisclosure } from '../../support/public-builders.ts';
import { aRandomDocument, FILES } from '../../support/random-document.ts';
import { aSaleEvent } from '../../support/random-sales.ts';
import { EMAIL, PRODUCTS } from '../../support/sale-events.ts';
import { memoryService } from '../../support/service.ts';
import {
  accountEntry,
  aFolder,
  faultLines,
  importInto,
  productEntry,
  releaseEntry,
} from '../../support/store-folder.ts';

const first = memoryEngines();

/** A separate store, which by default signs with the same keys as the others. */
const aStore = (overrides = {}, { signingKeyRings } = first) => {
  const engines = { ...first, signingKeyRings, table: memoryEngines().table, objects: memoryEngines().objects };
  return { engines, service: memoryService(overrides, engines) };
};

/** Imports the parts, and each account by itself, because two accounts of one document may share no ids. */
const stock = async (
  service: Service,
  { accounts = [], ...parts }: Record<string, unknown> & { accounts?: readonly object[] },
) => {
  const folder = await aFolder(FILES);
  for (const some of [parts, ...accounts.map((account) => ({ accounts: [account] }))]) {
    const loaded = await importInto(service, folder, some);
    if (!loaded.ok) throw new Error(faultLines(loaded).join('\n'));
  }
};

/** Exports the store into a new folder. */
const exported = async (service: Service) => {
  const folder = join(await aFolder(), 'export');
  const made = await service.get('exportStore')(grantPermit(), { folder: new FilesystemExport(folder), to: folder });
  return { folder, ...made };
};

/** Imports the documents of an export, in order. Returns the number of records that were not `unchanged`. */
const imported = async (service: Service, { folder, documents }: { folder: string; documents: readonly string[] }) => {
  let changed = 0;
  for (const name of documents) {
    const loaded = await loadStoreFile(service, join(folder, name), grantPermit());
    if (!loaded.ok) throw new Error(`${loaded.message} ${faultLines(loaded).join('\n')}`);
    for (const { created, updated } of Object.values(loaded.value)) changed += created + updated;
  }
  return changed;
};

const released = (service: Service) => service.get('releaseEditor').released(1);

type Engines = ReturnType<typeof aStore>['engines'];

/** Everything stored, except the audit log and the editions, which the import itself changes. */
const recordsOf = async ({ table }: Engines) => {
  const entries = (await table.dump(0)).entries.filter(({ pk }) => !/^(AUDIT|EDITION)#/.test(pk));
  return new Map(entries.map((entry) => [`${entry.pk} ${entry.sk}`, entry]));
};

/** Each run exports and imports two stores. */
const RUNS = process.env['NIGHTLY'] ? 150 : 40;

describe('the export of a store', () => {
  test('sales are exported in the import format, whatever another system reported', async () => {
    const sold = { edition: 'pro', features: ['export'], renewal: true };
    const prices = (PRODUCTS[0]?.prices ?? []).map((price) => ({ ...price, id: 'p-renewal', ...sold }));
    const licensing = {
      editions: [{ name: 'pro', features: ['save'] }],
      features: ['open'],
      metadata: { plan: 'a' },
      slots: 'sessions',
      lease_minutes: 5,
      borrow_days: 3,
      trial_days: 14,
      ttl_days: null,
      license_keys: { shown: true },
    } as const;
    const refusing = { shared_devices: 'refused', uncovered_versions: 'refused' } as const;
    const products = [...PRODUCTS, aProduct({ id: 4, stacking: 'highest', ...refusing, ...licensing, prices })];
    let orders = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(aSaleEvent, { minLength: 1, maxLength: 6 }), async (events) => {
        const { service } = aStore();
        await put(service, { products });
        await imported(service, await exported(service));
        for (const event of events) await service.get('recordSale')(grantPermit(), event);
        const out = await exported(service);
        expect(await imported(service, out)).toBe(0);
        await imported(aStore().service, out);
        const account = await service.get('accounts').findByEmail(EMAIL);
        orders += account ? (await service.get('storedOrders').ofAccount(account.id)).length : 0;
      }),
      { numRuns: RUNS },
    );
    expect(orders).toBeGreaterThan(RUNS / 2);
  }, 120_000);

  test('an export changes nothing in its own store and makes the same records in an empty one', async () => {
    await fc.assert(
      fc.asyncProperty(aRandomDocument, async (parts) => {
        const from = aStore();
        await stock(from.service, parts);
        const out = await exported(from.service);
        const before = (await from.engines.table.dump(0)).entries;
        expect(await imported(from.service, out)).toBe(0);
        expect((await from.engines.table.dump(0)).entries).toEqual(before);
        const to = aStore();
        await imported(to.service, out);
        const [made, were] = [await recordsOf(to.engines), await recordsOf(from.engines)];
        expect([...made.keys()].sort()).toEqual([...were.keys()].sort());
        for (const [key, entry] of were) expect(made.get(key), key).toEqual(entry);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  test('an export’s teams have the same people in another store and change nothing in their own', async () => {
    const from = aStore();
    await put(from.service, {
      products: [aProduct({ id: 1, slots: 'persons' })],
      accounts: [anAccount({ id: 1 }), anAccount({ id: 2 })],
      entitlements: [anEntitlement({ account_id: 1, source_quantity: 3 })],
    });
    const teams = from.service.get('teams');
    const invited = { email: 'new@example.com', role: 'member', invited_at: NOW } as const;
    const people = [
      { ...invited, id: 5, account_id: null },
      { ...invited, id: 6, account_id: 2 },
    ];
    const team = { account_id: 1, product_id: 1, gave_up: true, told_over: true, people } as const;
    const place = { account_id: 2, role: 'member' } as const;
    await teams.change(grantPermit(), await teams.read(1, 1), { team, place });
    await imported(from.service, await exported(from.service));
    const out = await exported(from.service);
    expect(await imported(from.service, out)).toBe(0);
    const { service } = aStore();
    await imported(service, out);
    expect(await service.get('teams').ofAccount(1)).toEqual([team]);
    expect((await service.get('storedLicenses').held(2)).places).toHaveLength(1);
    await service.get('teams').change(grantPermit(), await service.get('teams').read(1, 1), {
      team: { ...team, people: [] },
    });
    expect(await imported(service, out)).toBe(0);
    expect((await service.get('teams').read(1, 1)).team.people).toEqual([]);
  });

  test('an export has the password hashes, so that the same passwords sign in', async () => {
    const from = aStore({ passwords: scryptPasswords });
    await stock(from.service, {
      accounts: [accountEntry({ id: 1, password: 'a long password' }), accountEntry({ id: 2 })],
    });
    const to = aStore({ passwords: scryptPasswords });
    const out = await exported(from.service);
    await imported(to.service, out);
    const hash = (await to.service.get('accounts').get(1))?.password_hash ?? null;
    expect(await scryptPasswords.verify('a long password', hash)).toBe(true);
    expect((await to.service.get('accounts').get(2))?.password_hash).toBeNull();
    expect(await readFile(join(out.folder, 'store.json'), 'utf8')).not.toContain('a long password');
  });

  test('an export has the license key hashes and devices, so applications keep working in another store', async () => {
    const from = aStore();
    await put(from.service, {
      products: [aProduct({ id: 1, license_keys: true, device_limit: 1 })],
      accounts: [anAccount({ id: 1 })],
      entitlements: [anEntitlement({ id: 1 })],
    });
    await imported(from.service, await exported(from.service));
    const made = await from.service.get('makeLicenseKey')(grantPermit(), { account_id: 1, product_id: 1 });
    const { value } = done(made) as { readonly value: string };
    const checked = async ({ service }: typeof from, device_id: string) => {
      const caller = done(await service.get('authenticate')(value));
      const { account_id, product_id } = caller as { readonly account_id: number; readonly product_id: number };
      const question = { product_id, bundle_id: null, device_id, app_version: '1.0', device_name: 'A laptop' };
      const input = { account_id, scope: { product_id }, key: null, body: question, locale: 'en' as const };
      const begun = await service.get('checkLicense')(input);
      return typeof begun === 'function' ? begun({ permit: grantPermit() }) : begun;
    };
    expect((await checked(from, 'laptop')).ok).toBe(true);
    const out = await exported(from.service);
    expect(await imported(from.service, out)).toBe(0);
    const text = await readFile(join(out.folder, 'store.json'), 'utf8');
    expect(text).not.toContain(value);

    const to = aStore();
    await imported(to.service, out);
    expect(await imported(to.service, out)).toBe(0);
    expect(await checked(to, 'tower')).toMatchObject({ code: 'device_limit_reached' });
    expect(await checked(to, 'laptop')).toMatchObject({ ok: true, value: { device: { name: 'A laptop' } } });
    const again = await exported(to.service);
    expect(JSON.parse(await readFile(join(again.folder, 'store.json'), 'utf8')).accounts).toMatchObject([
      { license_keys: [{ product_id: 1 }], devices: [{ product_id: 1, device_id: 'laptop', app_version: '1.0' }] },
    ]);

    const moved = JSON.parse(text.replaceAll('"id": 1,', '"id": 2,')).accounts[0].license_keys;
    const stolen = [accountEntry({ id: 9, license_keys: moved })];
    const refused = await importInto(to.service, await aFolder(), { accounts: stolen });
    expect(faultLines(refused)).toEqual([
      'accounts.0.license_keys.0.hash: is the hash of a key that the store has for another purpose',
    ]);
  });

  test('an export carries the policy version, so clients accept it from another store', async () => {
    const from = aStore();
    const policy = (ttl_days: number) => ({
      policy: { min_client_version: '1.0.0', ttl_days, recheck_hours: 1, revoked: [] },
    });
    for (const days of [1, 2, 3]) await stock(from.service, policy(days));
    const to = aStore();
    await imported(to.service, await exported(from.service));
    const { policy: were } = await from.service.get('policies').read();
    expect(were.version).toBe(3);
    expect((await to.service.get('policies').read()).policy).toEqual(were);
  });

  test('an export of a published release imports as the very same release', async () => {
    const from = aStore();
    const app = productEntry({ id: 1, delivery: { strategy: 'macos-app' }, version_scheme: 'sparkle' });
    const storefront = { product_url: 'https://shop.example/{product_id}', product_detail_url: null };
    await stock(from.service, { products: [app], disclosure: aDisclosure(), storefront });
    const folder = await aFolder(FILES);
    await writeFile(join(folder, 'Setup 2.zip'), 'published');
    const { FilesystemStoreFiles } = await import('../../../adapters/filesystem/store-files.ts');
    const input = {
      product: '1',
      file: 'Setup 2.zip',
      filename: 'Setup 2.zip',
      version: '2.0',
      channel: null,
      platform: null,
      build: '20',
      notes_en: 'New.',
      notes_ko: null,
      released_at: null,
      sparkle: {},
      deltas: [{ from_build: '10', file: 'one.delta', filename: 'one.delta' }],
      signature: null,
      sign_with: null,
      installation_type: null,
      updater_signature: 'dW50cnVzdGVkIGNvbW1lbnQ6IG9uZQ==',
    };
    const files = new FilesystemStoreFiles(folder);
    expect(await from.service.get('publishRelease')(grantPermit(), { ...input, files })).toMatchObject({
      ok: true,
    });
    const out = await exported(from.service);
    expect(await imported(from.service, out)).toBe(0);
    const to = aStore();
    await imported(to.service, out);
    expect(await released(to.service)).toEqual(await released(from.service));
  });

  test('an export of a refunded order changes nothing in its own store and revokes the same in an empty one', async () => {
    const from = aStore();
    await stock(from.service, { products: [productEntry({ id: 1 })], accounts: [accountEntry({ id: 1, ...WHOLE })] });
    done(
      await from.service.get('refundOrder')(grantPermit(), {
        order: 'O-5',
        item_ids: [],
        keeps_access: false,
        reason: 'It was a gift.',
      }),
    );
    const out = await exported(from.service);
    expect(await imported(from.service, out)).toBe(0);
    const to = aStore();
    await imported(to.service, out);
    const held = async ({ service }: typeof from) => ({
      ...(await service.get('storedLicenses').held(1)),
      orders: await service.get('storedOrders').ofAccount(1),
    });
    expect((await held(from)).orders[0]?.status).toBe('refunded');
    expect(await held(to)).toEqual(await held(from));
  });

  test('batch keys keep working in another store, used or not, and revoked ones do not', async () => {
    const from = aStore();
    await stock(from.service, { products: [productEntry({ id: 1, license_keys: true })] });
    const terms = { product_id: 1, access_days: 30, updates_days: null, device_limit: 2 };
    const make = async (name: string, count: number) =>
      done(await from.service.get('createKeyBatch')(grantPermit(), { ...terms, name, count }));
    const send = ({ service }: typeof from, key = '') => service.get('authenticate')(key, false, grantPermit());
    const [batch, revoked] = [await make('Fair', 100), await make('Leaked', 1)];
    done(await send(from, batch.keys[0]));
    done(
      await from.service.get('revokeKeyBatch')(grantPermit(), {
        batch_id: revoked.batch.id,
        claimed: false,
        trial: false,
      }),
    );
    const out = await exported(from.service);
    expect(await imported(from.service, out)).toBe(0);
    const to = aStore();
    await imported(to.service, out);
    expect(await imported(to.service, out)).toBe(0);
    const batches = await to.service.get('listKeyBatches')({ limit: 9, after: null });
    expect(batches).toMatchObject([{ ...terms, id: batch.batch.id, name: 'Fair', unused: 99 }]);
    expect(batches).toHaveLength(1);
    const used = [batch.keys[0], batch.keys[99], revoked.keys[0]].map(async (key) => (await send(to, key)).ok);
    expect(await Promise.all(used)).toEqual([true, true, false]);
  });

  test('an import keeps signatures of a rotated key, and signs again in a store without that key', async () => {
    const keys = memoryEngines();
    const from = aStore({}, keys);
    const app = productEntry({ id: 1, delivery: { strategy: 'macos-app' } });
    await stock(from.service, { products: [app], releases: [releaseEntry({ id: 1, build: '1' })] });
    done(await from.service.get('createSigningKey')(grantPermit(), 'artifact'));
    done(await from.service.get('activateSigningKey')(grantPermit(), 'artifact'));
    const out = await exported(from.service);
    const [withKeys, without] = [aStore({}, keys), aStore({}, memoryEngines())];
    for (const { service } of [withKeys, without]) await imported(service, out);
    expect(await released(withKeys.service)).toEqual(await released(from.service));
    const signers = async (service: Service) =>
      (await released(service)).map(({ artifacts }) => artifacts[0]?.signed_by);
    expect(await signers(without.service)).toEqual([expect.any(String)]);
    expect(await signers(without.service)).not.toEqual(await signers(from.service));
  });
});

describe('the files of an export', () => {
  const parts = {
    products: [productEntry({ id: 1, content: { assets_dir: 'shots' } })],
    releases: [releaseEntry({ id: 1 })],
    accounts: [accountEntry({ id: 1, ...WHOLE })],
  };

  test('only its owner can read an export', async () => {
    const { service } = aStore();
    await stock(service, parts);
    const { folder, documents, ...counts } = await exported(service);
    expect([documents, counts]).toEqual([['store.json'], { products: 1, releases: 1, accounts: 1, files: 3 }]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      expect(mode & 0o777, entry.name).toBe(entry.isDirectory() ? 0o700 : 0o600);
    }
  });

  test('an export into a folder with files is refused and leaves them unchanged', async () => {
    const folder = await aFolder({ 'mine.txt': 'mine' });
    expect(() => new FilesystemExport(folder)).toThrow('is not empty; name a new folder');
    expect(await readdir(folder)).toEqual(['mine.txt']);
  });

  test('an export of many accounts is split into documents that are imported in order', async () => {
    const { service } = aStore();
    await stock(service, { accounts: [1, 2, 3].map((id) => accountEntry({ id })) });
    const written: Record<string, string[]> = {};
    const open = async (name: string) => {
      const members = (written[name] ??= []);
      const add = async (member: string) => void members.push(member);
      return { size: Number.POSITIVE_INFINITY, set: add, append: add, close: () => add('closed') };
    };
    const made = await service.get('exportStore')(grantPermit(), {
      folder: { open, keep: async () => {} },
      to: 'memory',
    });
    expect(made.documents).toEqual(['store.json', 'accounts-0001.json', 'accounts-0002.json', 'accounts-0003.json']);
    const further = ['format', 'exported_at', 'accounts', 'closed'];
    expect(written).toEqual({
      'store.json': ['format', 'exported_at', 'closed'],
      'accounts-0001.json': further,
      'accounts-0002.json': further,
      'accounts-0003.json': further,
    });
  });

  test('an export of damaged bytes fails and leaves no importable document', async () => {
    const { service, engines } = aStore();
    await stock(service, parts);
    const { open } = engines.objects;
    const lost = new Error('lost');
    engines.objects.open = async (key, range) => {
      if (key.startsWith(objectKeyOf(''))) throw lost;
      return open.call(engines.objects, key, range);
    };
    const folder = join(await aFolder(), 'export');
    const made = service.get('exportStore')(grantPermit(), { folder: new FilesystemExport(folder), to: folder });
    await expect(made).rejects.toBe(lost);
    expect((await readdir(folder)).filter((name) => name.endsWith('.json'))).toEqual([]);
  });

  test('an export never writes outside its folder', async () => {
    const folder = new FilesystemExport(join(await aFolder(), 'export'));
    for (const path of ['../out', 'files/../../out', '/tmp/out', '']) {
      const kept = folder.keep(path, { sha256: '', size: 0 }, () => Promise.reject(new Error('opened')));
      await expect(kept, path).rejects.toThrow('leads out of');
    }
  });
});

describe('the hash of a password in a document', () => {
  const faultsOf = async (fields: object): Promise<string[]> => {
    const folder = await aFolder();
    await writeFile(
      join(folder, 'store.json'),
      JSON.stringify({ format: 1, accounts: [accountEntry({ id: 1, ...fields })] }),
    );
    const loaded = await loadStoreFile(aStore().service, join(folder, 'store.json'), grantPermit());
    return loaded.ok ? [] : faultLines(loaded);
  };
  const hash = `scrypt$131072$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

  test.each([
    ['another form', 'a long password', 'must be a hash of scrypt'],
    ['a cost that would stop the service', hash.replace('131072', '16777216'), 'must be a hash of scrypt'],
  ])('an import refuses a hash of %s', async (_, password_hash, message) => {
    expect(await faultsOf({ password_hash })).toEqual([
      expect.stringMatching(new RegExp(`^accounts\\.0\\.password_hash: ${message}`)),
    ]);
  });

  test('an import refuses a password with a hash beside it', async () => {
    expect(await faultsOf({ password: 'a long password', password_hash: hash })).toEqual([
      'accounts.0.password_hash: stands beside a password; give one of them',
    ]);
    expect(await faultsOf({ password_hash: hash })).toEqual([]);
  });
});
