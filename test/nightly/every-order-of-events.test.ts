import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { bookOfSequences } from '../contracts/book.ts';

bookOfSequences('MemoryTable, in every order of up to six events', () => new MemoryTable(), { most: 720 });
