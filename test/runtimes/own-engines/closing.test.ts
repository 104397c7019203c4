import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import { readConfig } from '../../../runtimes/configuration/config.ts';
import { openPlace, parsePlace } from '../../../runtimes/copy/place.ts';
import { BUILT_IN } from '../../../runtimes/engines/built-in.ts';
import { kindsWith } from '../../../runtimes/engines/choose.ts';
import type { OwnEngines } from '../../../runtimes/engines/kinds.ts';
import { openEngines, openOperatorEngines } from '../../../runtimes/engines/open-engines.ts';
import { URLS } from '../../support/doctored-store.ts';

describe('the opened engines of a team', () => {
  let folder: string;
  let closed: string[];
  let tableFault: Error | undefined;
  let own: OwnEngines;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'account-service-own-'));
    closed = [];
    tableFault = undefined;
    own = {
      tables: {
        notebook: {
          variable: 'NOTEBOOK',
          takes: 'a name',
          catalogAge: 0,
          open: async () => {
            if (tableFault) throw tableFault;
            const table = Object.assign(new MemoryTable(), { close: async () => void closed.push('table') });
            return { table, dump: table };
          },
        },
      },
      objects: {
        shelf: {
          variable: 'SHELF',
          takes: 'a name',
          open: async (place, sign) => ({
            ...(await BUILT_IN.objects.memory.open(place, sign)),
            close: async () => void closed.push('objects'),
          }),
        },
      },
    };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const config = () =>
    readConfig({ STORE: 'notebook', NOTEBOOK: 'n', OBJECTS: 'shelf', SHELF: 's', DATA_DIR: join(folder, 'data') }, own);

  test('a server that stops closes the table and then the object store', async () => {
    await (await openEngines(config(), URLS)).close();
    expect(closed).toEqual(['table', 'objects']);
  });

  test('an object store is closed if the table can’t be opened', async () => {
    tableFault = new Error('The notebook is lost.');
    await expect(openEngines(config(), URLS)).rejects.toThrow(
      new Error("The engine notebook can't be opened: The notebook is lost."),
    );
    expect(closed).toEqual(['objects']);
  });

  test('a command closes the object store if it used it, and the table in any case', async () => {
    await (await openOperatorEngines(config(), URLS)).close();
    expect(closed).toEqual(['table']);
    const engines = await openOperatorEngines(config(), URLS);
    await engines.objects.ping();
    await engines.close();
    expect(closed.slice(1).sort()).toEqual(['objects', 'table']);
  });

  test('a migrate location closes both, and has the keys of the data folder of either half', async () => {
    const kinds = kindsWith(own);
    const open = async (text: string) => {
      const spec = parsePlace(text, kinds);
      if (!spec) throw new Error(`${text} is no place.`);
      return openPlace(spec, 'target');
    };
    const elsewhere = await open('notebook:n,shelf:s');
    expect(elsewhere.keysFolder).toBeUndefined();
    await elsewhere.close();
    expect(closed).toEqual(['objects', 'table']);
    const inFolder = await open(`notebook:n,filesystem:${folder}`);
    expect(inFolder.keysFolder).toBe(join(folder, 'keys'));
    await inFolder.close();
  });
});
