import { catalogHandlers } from '../../../adapters/pipeline/handlers/catalog.ts';
import { pictureLinks, productViews } from '../../../application/catalog/product-views.ts';
import { withParts } from '../area.ts';

/** Products, lineages and content of the store, and an account's library. */
export const catalog = withParts(catalogHandlers, { pictureLinks, productViews });
