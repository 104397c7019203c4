import { accounts } from '../../composition/areas/accounts.ts';
import { buyers } from '../../composition/areas/buyers.ts';
import { oauth } from '../../composition/areas/oauth.ts';
import { signInRecords } from '../../composition/areas/sign-in-records.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/engine-settings.ts';

export const wire = (settings: Settings, engines: Engines) =>
  bootstrap(settings, engines, [accounts, signInRecords, oauth, buyers]);
