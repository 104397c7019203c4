import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredJobs } from '../../adapters/store/jobs.ts';
import { jobsContract } from '../contracts/jobs.ts';
import { asSlow } from '../support/slow-engine.ts';
import { newFile, open } from './sqlite/folder.ts';

const slow = asSlow();
jobsContract('StoredJobs on MemoryTable', () => new StoredJobs(slow(new MemoryTable())));
jobsContract('StoredJobs on SqliteTable', () => new StoredJobs(open(newFile())));
