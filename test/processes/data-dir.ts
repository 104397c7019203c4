import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { byHost } from '../../ports/inbound/hosts.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/all-areas.ts';
import type { Overrides, Service } from '../../runtimes/composition/bootstrap.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { openEngines } from '../../runtimes/engines/open-engines.ts';
import { anEntitlement, aProduct } from '../support/builders.ts';

const NOWHERE = 'http://127.0.0.1:1';

/** The variables that select the engines; by default SQLite and files. */
export type EngineEnvironment = Readonly<Record<string, string | undefined>>;

/** Opens a separate service on a data folder, as another process would. */
export const openService = async (
  dataDir: string,
  env: EngineEnvironment = {},
  overrides: Overrides = {},
): Promise<{ service: Service; close: () => Promise<void> }> => {
  const config = readConfig({ ...env, DATA_DIR: dataDir });
  const urls = byHost(() => NOWHERE);
  const engines = await openEngines(config, urls);
  const settings = {
    urls,
    perAccount: 1e6,
    perAgent: 1e6,
    perAddress: 1e6,
    catalogAge: config.store.engine.catalogAge,
  };
  return { service: bootstrap(settings, engines, EVERY_AREA, overrides), close: engines.close };
};

export type Prepared = { readonly dataDir: string; readonly key: string; readonly remove: () => void };

/** Creates a data folder with one product, an account that owns it with the device limit, and its key. */
export const prepareDataDir = async (deviceLimit: number | null, env: EngineEnvironment = {}): Promise<Prepared> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'account-service-'));
  const { service, close } = await openService(dataDir, env);
  await service
    .get('catalogEditor')
    .save(grantPermit(), { kind: 'product', value: aProduct({ id: 1, device_limit: deviceLimit }) });
  await service.get('accounts').save(grantPermit(), {
    id: 1,
    email: 'buyer@example.com',
    name: null,
    created_at: '2025-01-01T00:00:00.000Z',
    password_hash: null,
  });
  await service.get('grants').saveEntitlement(grantPermit(), anEntitlement({ id: 1, account_id: 1, product_id: 1 }));
  const created = await service.get('createApiKey')(grantPermit(), {
    account_id: 1,
    name: 'test',
    abilities: ABILITIES,
  });
  if (!created.ok) throw new Error(created.message);
  await close();
  return { dataDir, key: created.value.value, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
};

/** Checks the license of product 1 for a device. */
export const checkDevice = (url: string, key: string, device_id: string): Promise<Response> =>
  fetch(`${url}/api/license/check`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ product_id: 1, device_id }),
  });

/** The devices that hold a slot of product 1. */
export const devicesInUse = async (url: string, key: string): Promise<string[]> => {
  const response = await fetch(`${url}/api/products/1/license`, { headers: { Authorization: `Bearer ${key}` } });
  const { device_list } = (await response.json()) as { device_list: { device_id: string }[] };
  return device_list.map(({ device_id }) => device_id);
};
