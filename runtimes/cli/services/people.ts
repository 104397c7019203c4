import { shopPeopleHandlers } from '../../../adapters/pipeline/handlers/shop/people.ts';
import { shopWebhooksHandlers } from '../../../adapters/pipeline/handlers/shop/webhooks.ts';
import { agents, keys } from '../../composition/areas/access.ts';
import { signIn } from '../../composition/areas/sign-in.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';

/** The service of commands on the shop's own people and systems. */
export const serve = (settings: Settings, engines: Engines): object =>
  bootstrap(settings, engines, [shopPeopleHandlers, shopWebhooksHandlers, agents, keys, signIn]);
