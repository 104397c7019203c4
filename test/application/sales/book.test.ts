import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import { bookOfSequences } from '../../contracts/book.ts';

// test/nightly runs every order.
bookOfSequences('MemoryTable', () => new MemoryTable(), { most: 12 });
