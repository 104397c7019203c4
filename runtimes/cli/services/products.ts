import { products } from '../../composition/areas/products.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/engine-settings.ts';

export const wire = (settings: Settings, engines: Engines) => bootstrap(settings, engines, [products]);
