import type { Product } from '../../domain/catalog/product.ts';
import { completeSteps } from '../../domain/catalog/setup-progress.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { SetupProgresses } from '../../ports/outbound/catalog.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Clearance, TwoSteps } from '../shared/steps.ts';
import { type SetupView, setupView } from './product-views.ts';

export const showSetupProgress =
  ({ setupProgresses }: { setupProgresses: SetupProgresses }) =>
  async ({ accountId, product, locale }: { accountId: number; product: Product; locale: Locale }): Promise<SetupView> =>
    setupView(product, await setupProgresses.get(accountId, product.id), locale);

export type SaveSetupProgressInput = {
  accountId: number;
  product: Product;
  indexes: readonly number[] | undefined;
  locale: Locale;
};

/** Replaces the completed steps. Without `indexes` nothing changes, so that an empty body can't erase the progress. */
export const saveSetupProgress =
  ({ setupProgresses, clock }: Needs<'clock' | 'setupProgresses'>) =>
  async (input: SaveSetupProgressInput): TwoSteps<Outcome<SetupView, 'validation_failed'>> => {
    const { accountId, product, indexes, locale } = input;
    const before = await setupProgresses.get(accountId, product.id);
    if (indexes === undefined) return ok(setupView(product, before, locale));
    const after = completeSteps(before, indexes, product.setup_steps.length, clock.now());
    if (!after.ok) return after;
    return async ({ permit }: Clearance) => {
      await setupProgresses.save(permit, accountId, product.id, after.value);
      return ok(setupView(product, after.value, locale));
    };
  };
