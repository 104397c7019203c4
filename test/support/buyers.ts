import { accounts } from '../../runtimes/composition/areas/accounts.ts';
import { buyers } from '../../runtimes/composition/areas/buyers.ts';
import { oauth } from '../../runtimes/composition/areas/oauth.ts';
import { signInRecords } from '../../runtimes/composition/areas/sign-in-records.ts';

/** The areas of the operator's commands about one buyer. */
export const BUYERS = [accounts, signInRecords, oauth, buyers] as const;
