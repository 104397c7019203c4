import { agents, keys } from '../../composition/areas/access.ts';
import { shopPeople, shopWebhooks } from '../../composition/areas/shop-people.ts';
import { signIn } from '../../composition/areas/sign-in.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';

/** The service of commands on the shop's own people and systems. */
export const serve = (settings: Settings, engines: Engines) =>
  bootstrap(settings, engines, [shopPeople, shopWebhooks, agents, keys, signIn]);
