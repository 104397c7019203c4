import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredJobs } from '../../adapters/store/jobs.ts';
import { jobsContract } from '../contracts/jobs.ts';
import { newFile, open } from './sqlite/folder.ts';

jobsContract('StoredJobs on MemoryTable', () => new StoredJobs(new MemoryTable()));
jobsContract('StoredJobs on SqliteTable', () => new StoredJobs(open(newFile())));
