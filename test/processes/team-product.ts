import { aProduct } from '../support/builders.ts';

/** A product whose units are seats of people. */
export const TEAM_PRODUCT = aProduct({ id: 200, slug: 'team', slots: 'persons' });
