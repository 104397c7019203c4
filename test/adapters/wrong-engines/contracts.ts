import { describe } from 'vitest';
import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import { StoredDevices } from '../../../adapters/store/devices.ts';
import type { Devices } from '../../../ports/outbound/devices.ts';
import { devicesContract } from '../../contracts/devices.ts';
import { licensesContract } from '../../contracts/licenses.ts';
import { tableContract } from '../../contracts/table.ts';
import { tableDumpContract } from '../../contracts/table-dump.ts';
import { audited } from '../../support/audited.ts';
import { GRANTS, licensesOn } from '../../support/licenses-at-work.ts';
import { WRONG_ENGINES } from './engines.ts';
import { altered, opened, outOfReach, RIGHT_ENGINE } from './opened.ts';
import { RIGHT_DEVICES, RIGHT_LICENSES, WRONG_DEVICES, WRONG_LICENSES } from './ports.ts';

/*
 * Runs the contracts on correct and on faulty implementations. Only `test/adapters/wrong-engines.test.ts` runs this
 * file.
 */

for (const engine of [RIGHT_ENGINE, ...WRONG_ENGINES]) {
  const [items, dumped] = [new MemoryTable(), new MemoryTable()];
  const open = () => opened(items, engine);
  const openDump = () => {
    const table = opened(dumped, engine);
    return { table, dump: table };
  };
  const outage = () => outOfReach(new MemoryTable(), engine);
  describe(engine.name, () => {
    tableContract('it', open, { another: open, outage });
    tableDumpContract('it', openDump, { outage });
  });
}

const [[, expiring]] = GRANTS;

for (const { name, wrong } of [{ name: RIGHT_LICENSES, wrong: undefined }, ...WRONG_LICENSES]) {
  describe(name, () => {
    licensesContract('they', () => {
      const at = licensesOn(new MemoryTable(), expiring);
      return { ...at, licenses: altered(at.licenses, wrong) };
    });
  });
}

for (const { name, wrong } of [{ name: RIGHT_DEVICES, wrong: undefined }, ...WRONG_DEVICES]) {
  describe(name, () => {
    devicesContract('they', () => altered<Devices>(new StoredDevices(audited(new MemoryTable())), wrong));
  });
}
