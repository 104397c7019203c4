import { collect } from '../../composition/areas/design/collect.ts';
import { licensing } from '../../composition/areas/licensing.ts';
import { storedFiles } from '../../composition/areas/store-document.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';
import { LICENSES } from './licenses.ts';

/** The service of commands that export what the store and its accounts have. */
export const serve = (settings: Settings, engines: Engines): object =>
  bootstrap(settings, engines, [...LICENSES, collect, licensing, storedFiles]);
