import { agents } from '../../composition/areas/access.ts';
import { collect } from '../../composition/areas/design/collect.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';

/** The service of commands on collect runs. */
export const serve = (settings: Settings, engines: Engines): object => bootstrap(settings, engines, [agents, collect]);
