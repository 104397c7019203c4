import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { openService } from '../processes/data-dir.ts';
import { anAccount } from '../support/account-builders.ts';
import { aDevice, anEntitlement, aProduct, NOW } from '../support/builders.ts';
import { cli, type Ran } from '../support/cli.ts';
import { type Contents, put } from '../support/contents.ts';

/* Helpers for tests of commands about a buyer. */

/** A store with account 1, which owns product 1 (`memo`) for two devices; its laptop holds a slot. */
export const MEMO: Contents = {
  accounts: [anAccount()],
  products: [aProduct({ id: 1, slug: 'memo', device_limit: 2 })],
  entitlements: [anEntitlement()],
};

/** A folder with a store of these contents. `run` runs a command on it in a separate process. */
export const aShopFolder = async (contents: Contents = MEMO) => {
  const folder = await mkdtemp(join(tmpdir(), 'cli-shop-'));
  const data = join(folder, 'data');
  const open = () => openService(data);
  /** Runs work with the service on the folder, and closes it afterwards. */
  const within = async <T>(work: (service: Service) => Promise<T>): Promise<T> => {
    const { service, close } = await open();
    try {
      return await work(service);
    } finally {
      await close();
    }
  };
  await within((service) => put(service, contents));
  return {
    within,
    /** Gives a device of account 1 a slot of product 1. */
    seat: (device_id: string) =>
      within(async (service) => {
        const { slots } = await service.get('devices').find(1, 1, device_id);
        const device = aDevice({ device_id, name: 'Laptop', activated_at: NOW });
        await service.get('devices').activate(grantPermit(), 1, 1, device, slots);
      }),
    /** Writes a JSON file beside the store and returns its path. */
    file: async (name: string, json: unknown): Promise<string> => {
      await writeFile(join(folder, name), JSON.stringify(json));
      return join(folder, name);
    },
    run: (...args: string[]): Promise<Ran> => cli(args, { DATA_DIR: data }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
