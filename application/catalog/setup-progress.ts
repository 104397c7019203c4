import type { Product } from '../../domain/catalog/product.ts';
import { completeSteps } from '../../domain/catalog/setup-progress.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { SetupProgresses } from '../../ports/outbound/catalog.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Clearance, TwoSteps } from '../shared/steps.ts';
import { type SetupView, setupView } from './product-views.ts';

export const showSetupProgress = ({ setupProgresses }: { setupProgresses: SetupProgresses }) =>
  async function showSetupProgress({
    account_id,
    product,
    locale,
  }: {
    account_id: number;
    product: Product;
    locale: Locale;
  }): Promise<SetupView> {
    return setupView(product, await setupProgresses.get(account_id, product.id), locale);
  };

export type SaveSetupProgressInput = {
  account_id: number;
  product: Product;
  completed_step_indexes?: readonly number[] | undefined;
  locale: Locale;
};

/** Replaces the completed steps. Without `indexes` nothing changes, so an empty body can't erase the progress. */
export const saveSetupProgress = ({ setupProgresses, clock }: Needs<'clock' | 'setupProgresses'>) =>
  async function saveSetupProgress(input: SaveSetupProgressInput): TwoSteps<Outcome<SetupView, 'validation_failed'>> {
    const { account_id, product, completed_step_indexes: indexes, locale } = input;
    const before = await setupProgresses.get(account_id, product.id);
    if (indexes === undefined) return ok(setupView(product, before, locale));
    const after = completeSteps(before, indexes, product.setup_steps.length, clock.now());
    if (!after.ok) return after;
    return async ({ permit }: Clearance) => {
      await setupProgresses.save(permit, account_id, product.id, after.value);
      return ok(setupView(product, after.value, locale));
    };
  };
