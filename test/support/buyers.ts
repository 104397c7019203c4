import { buyers } from '../../runtimes/composition/areas/accounts.ts';
import { gallery } from '../../runtimes/composition/areas/design/gallery.ts';
import { operations } from '../../runtimes/composition/areas/operations.ts';
import { oauth, signInRecords } from '../../runtimes/composition/areas/sign-in-records.ts';

/** The areas of the operator's commands about one buyer. */
export const BUYERS = [operations, gallery, signInRecords, oauth, buyers] as const;
