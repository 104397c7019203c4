import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { ownedRecordsContract } from '../contracts/owned-records.ts';
import { newFile, open } from './sqlite/folder.ts';

ownedRecordsContract('MemoryTable', () => new MemoryTable());
ownedRecordsContract('SqliteTable', () => open(newFile()));
