import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredTrials } from '../../adapters/store/trials.ts';
import { trialsContract } from '../contracts/trials.ts';
import { audited } from '../support/audited.ts';
import { newFile, open } from './sqlite/folder.ts';

trialsContract('StoredTrials on MemoryTable', () => new StoredTrials(audited(new MemoryTable())));
trialsContract('StoredTrials on SqliteTable', () => new StoredTrials(audited(open(newFile()))));
