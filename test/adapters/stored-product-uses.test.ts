import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredProductUses } from '../../adapters/store/usage.ts';
import { productUsesContract } from '../contracts/product-uses.ts';
import { newFile, open } from './sqlite/folder.ts';

productUsesContract('StoredProductUses on MemoryTable', () => new StoredProductUses(new MemoryTable()));
productUsesContract('StoredProductUses on SqliteTable', () => new StoredProductUses(open(newFile())));
