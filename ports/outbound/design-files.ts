import type { Permit } from '../../domain/access/permit.ts';
import type { StoredFile } from '../../domain/shared/stored-file.ts';

/** Files of the design host that are read and kept whole, because their content is to be understood. */
export interface DesignFiles {
  /** The bytes of a file; undefined where the store has none of this hash and size. */
  read(file: StoredFile): Promise<Uint8Array | undefined>;
  /** Keeps bytes under their hash. Keeping the same bytes again changes nothing. */
  keep(permit: Permit, bytes: Uint8Array): Promise<StoredFile>;
}
