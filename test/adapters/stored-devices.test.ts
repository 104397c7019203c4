import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredDevices } from '../../adapters/store/devices.ts';
import { devicesContract } from '../contracts/devices.ts';
import { newFile, open } from './sqlite/folder.ts';

devicesContract('StoredDevices on MemoryTable', () => new StoredDevices(new MemoryTable()));
devicesContract('StoredDevices on SqliteTable', () => new StoredDevices(open(newFile())));
