import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import { bookOfSequences } from '../../contracts/book.ts';

bookOfSequences('MemoryTable', () => new MemoryTable());
