import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import { bookOfSequences } from '../../contracts/book.ts';

// Every order of three events, and as many of more. test/nightly runs every order.
bookOfSequences('MemoryTable', () => new MemoryTable(), { most: 6 });
