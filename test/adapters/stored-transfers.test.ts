import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { keyBatchesContract } from '../contracts/key-batches.ts';
import { transfersContract } from '../contracts/transfers.ts';
import { asSlow } from '../support/slow-engine.ts';
import { newFile, open } from './sqlite/folder.ts';

const slow = asSlow();
for (const contract of [keyBatchesContract, transfersContract]) {
  contract('MemoryTable', () => slow(new MemoryTable()));
  contract('SqliteTable', () => open(newFile()));
}
