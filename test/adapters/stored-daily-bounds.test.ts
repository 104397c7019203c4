import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredDailyBounds } from '../../adapters/store/rate-limits.ts';
import { dailyBoundsContract } from '../contracts/daily-bounds.ts';
import { newFile, open } from './sqlite/folder.ts';

dailyBoundsContract('StoredDailyBounds on MemoryTable', () => new StoredDailyBounds(new MemoryTable()));
dailyBoundsContract('StoredDailyBounds on SqliteTable', () => new StoredDailyBounds(open(newFile())));
