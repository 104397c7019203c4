import { join } from 'node:path';
import { expect } from 'vitest';
import type { NewItem } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { byHost } from '../../ports/inbound/hosts.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/all-areas.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { examine, type Thoroughness } from '../../runtimes/doctor/doctor.ts';
import { openEngines } from '../../runtimes/engines/open-engines.ts';
import { aFolder, importInto, productEntry, releaseEntry } from './store-folder.ts';

export const API = 'http://127.0.0.1';
export const URLS = byHost(() => API);

export const STOCKED = { products: [productEntry({ id: 1 })], releases: [releaseEntry({ id: 1 })] };

/** A data folder that does not exist yet, with the findings of the doctor about it. */
export const aDoctoredStore = async () => {
  const dataDir = join(await aFolder(), 'data');
  const findings = (env: Record<string, string> = {}, how: Thoroughness = {}) =>
    examine({ DATA_DIR: dataDir, ...env }, () => URLS, how);
  return {
    dataDir,
    findings,
    /** Every failed check as `check: message`. */
    wrongs: async (env: Record<string, string> = {}): Promise<string[]> =>
      (await findings(env)).filter(({ ok }) => !ok).map(({ check, message }) => `${check}: ${message}`),
    /** Imports parts of a store document. */
    fill: async (parts: object, { signing = true, files = {} } = {}): Promise<void> => {
      const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), URLS);
      try {
        const settings = { urls: URLS, perAccount: 1, perAgent: 1, perAddress: 1, catalogAge: 0 };
        const service = bootstrap(settings, engines, EVERY_AREA);
        const loaded = await importInto(service, await aFolder({ 'tool.zip': 'tool', ...files }), parts);
        expect(loaded.ok).toBe(true);
        if (signing) await service.get('createSigningKey')(grantPermit(), 'policy');
      } finally {
        await engines.close();
      }
    },
    /** Writes an item without any check, as a fault would leave it. */
    put: async (item: NewItem): Promise<void> => {
      const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), URLS);
      await engines.table.put(item);
      await engines.close();
    },
  };
};
