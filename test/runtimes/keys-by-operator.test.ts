import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { KeyUse } from '../../domain/signing/key-use.ts';
import { gallery } from '../../runtimes/composition/areas/design/gallery.ts';
import { signing } from '../../runtimes/composition/areas/policy.ts';
import { storeDocument } from '../../runtimes/composition/areas/store-document.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { examine } from '../../runtimes/doctor/doctor.ts';
import type { OwnEngines } from '../../runtimes/engines/kinds.ts';
import { openEngines, openOperatorEngines } from '../../runtimes/engines/open-engines.ts';
import { openLambdaEngines } from '../../runtimes/lambda/open.ts';
import { URLS } from '../support/doctored-store.ts';
import { SETTINGS } from '../support/memory-engines.ts';
import { done } from '../support/outcomes.ts';
import { shopRecords } from '../support/shop-records.ts';

/** A store outside any folder, like a DynamoDB table: another machine has the same table and another DATA_DIR. */
const aSharedStore = (): OwnEngines => {
  const table = Object.assign(new MemoryTable(), { close: async () => {} });
  const open = async () => ({ table, dump: table });
  return { tables: { shared: { variable: 'SHARED', takes: 'a name', catalogAge: 0, makesKeys: false, open } } };
};

let folder: string;
let own: OwnEngines;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'account-service-keys-'));
  own = aSharedStore();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const envOf = (machine: string) => ({
  STORE: 'shared',
  SHARED: 's',
  OBJECTS: 'filesystem',
  DATA_DIR: join(folder, machine),
});
const configOf = (machine: string) => readConfig(envOf(machine), own);
const keysOf = (machine: string): string[] => {
  const keys = join(folder, machine, 'keys');
  return existsSync(keys) ? readdirSync(keys).filter((name) => name.includes('signing')) : [];
};

/** Does the work of an operator's command on a machine. */
const onMachine = async <T>(
  machine: string,
  work: (service: ReturnType<typeof serviceOn>) => Promise<T>,
): Promise<T> => {
  const engines = await openOperatorEngines(configOf(machine), URLS);
  try {
    return await work(serviceOn(engines));
  } finally {
    await engines.close();
  }
};
const serviceOn = (engines: Parameters<typeof bootstrap>[1]) =>
  bootstrap(SETTINGS, engines, [shopRecords, storeDocument, signing, gallery]);
const create = (machine: string, use: KeyUse) =>
  onMachine(machine, async (service) => done(await service.get('createSigningKey')(grantPermit(), use)));

describe('the keys of a store outside a folder', () => {
  test('a server without a license key refuses to start, names the variable and the command, and creates no key', async () => {
    await expect(openEngines(configOf('server'), URLS)).rejects.toThrow(
      'No key signs license tokens; set LICENSE_KEY_SECRET_ARN to the secret that has one, or make the first: signing-key create --use license',
    );
    expect(keysOf('server')).toEqual([]);
  });

  test('a command that signs a file refuses without a key and creates none', async () => {
    const signing = onMachine('laptop', (service) => service.get('artifactSigner').sign(Buffer.from('file')));
    await expect(signing).rejects.toThrow('No key signs files of releases; set ARTIFACT_KEY_SECRET_ARN');
    await expect(onMachine('laptop', (service) => service.get('artifactSigner').publicKey())).rejects.toThrow('No key');
    expect(keysOf('laptop')).toEqual([]);
  });

  test('an operator creates the first key, with which the server of the same folder starts', async () => {
    expect(await create('server', 'license')).toMatchObject({ state: 'current' });
    const { licenseSigner, close } = await openEngines(configOf('server'), URLS);
    expect(licenseSigner.publicJwks()).toHaveLength(1);
    await close();
  });

  test('another machine does not find a key that was made elsewhere, and creates no other', async () => {
    await create('server', 'license');
    await expect(create('laptop', 'license')).rejects.toThrow(
      `The keys that sign license tokens are not in ${join(folder, 'laptop', 'keys')}; set LICENSE_KEY_SECRET_ARN`,
    );
    await expect(openEngines(configOf('laptop'), URLS)).rejects.toThrow('set LICENSE_KEY_SECRET_ARN');
    expect(keysOf('laptop')).toEqual([]);
  });

  test('a function without a license secret starts, and reads and creates no key', async () => {
    for (const instance of ['first', 'second']) {
      const { close } = await openLambdaEngines(configOf(instance), URLS);
      await close();
      expect(keysOf(instance)).toEqual([]);
    }
    await expect(openEngines(configOf('first'), URLS)).rejects.toThrow('No key signs license tokens');
  });

  test('the doctor names the missing key, and no key that the store does not need', async () => {
    const wrongs = async () => {
      const found = await examine(envOf('server'), () => URLS, { quick: true, engines: own });
      return found.filter(({ kind, check }) => kind === 'wrong' && check === 'keys').map(({ message }) => message);
    };
    const { close } = await openOperatorEngines(configOf('server'), URLS);
    await close();
    expect(await wrongs()).toEqual([
      expect.stringContaining('No key signs license tokens; set LICENSE_KEY_SECRET_ARN'),
    ]);
    await create('server', 'license');
    expect(await wrongs()).toEqual([]);
  });
});
