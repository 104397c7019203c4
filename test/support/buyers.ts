import { buyers } from '../../runtimes/composition/areas/accounts.ts';
import { shopRecords } from '../../runtimes/composition/areas/shop-records.ts';
import { oauth, signInRecords } from '../../runtimes/composition/areas/sign-in-records.ts';

/** The areas of the operator's commands about one buyer. */
export const BUYERS = [shopRecords, signInRecords, oauth, buyers] as const;
