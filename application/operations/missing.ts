import { type Refused, refuse } from '../../domain/shared/outcome.ts';

/* The refusals that several commands of the operator share. */

export const accountMissing = (id: number): Refused<'account_not_found'> =>
  refuse('account_not_found', { message: `There is no account ${id}; "account list" lists them.` });

export const productMissing = (named: string): Refused<'product_not_found'> =>
  refuse('product_not_found', { message: `There is no product ${named}.` });
