import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { galleryContract } from '../contracts/gallery.ts';
import { galleryOn } from '../support/gallery/gallery-on.ts';
import { newFile, open } from './sqlite/folder.ts';

galleryContract('StoredGallery on MemoryTable', async () => galleryOn(new MemoryTable()));
galleryContract('StoredGallery on SqliteTable', async () => galleryOn(open(newFile())));
