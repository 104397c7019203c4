import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredDevices } from '../../adapters/store/devices.ts';
import { StoredLeases } from '../../adapters/store/leases.ts';
import { devicesContract } from '../contracts/devices.ts';
import { leasesContract } from '../contracts/leases.ts';
import { audited } from '../support/audited.ts';
import { asSlow } from '../support/slow-engine.ts';
import { newFile, open } from './sqlite/folder.ts';

const slow = asSlow();
devicesContract('StoredDevices on MemoryTable', () => new StoredDevices(audited(slow(new MemoryTable()))));
devicesContract('StoredDevices on SqliteTable', () => new StoredDevices(audited(open(newFile()))));
leasesContract('StoredLeases on MemoryTable', () => new StoredLeases(audited(slow(new MemoryTable()))));
leasesContract('StoredLeases on SqliteTable', () => new StoredLeases(audited(open(newFile()))));
