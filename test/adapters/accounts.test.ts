import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { accountsContract } from '../contracts/accounts.ts';
import { newFile, open } from './sqlite/folder.ts';

accountsContract('MemoryTable', () => new MemoryTable());
accountsContract('SqliteTable', () => open(newFile()));
