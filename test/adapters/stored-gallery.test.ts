import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { galleryContract } from '../contracts/gallery.ts';
import { galleryOn } from '../support/gallery/gallery-on.ts';
import { asSlow } from '../support/slow-engine.ts';
import { newFile, open } from './sqlite/folder.ts';

const slow = asSlow();
galleryContract('StoredGallery on MemoryTable', async () => galleryOn(slow(new MemoryTable())));
galleryContract('StoredGallery on SqliteTable', async () => galleryOn(open(newFile())));
