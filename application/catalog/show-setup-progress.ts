import type { Product } from '../../domain/catalog/product.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { SetupProgresses } from '../../ports/outbound/catalog.ts';
import { type SetupView, setupView } from './product-views.ts';

export type Ports = { setupProgresses: SetupProgresses };
export type Input = { accountId: number; product: Product; locale: Locale };

export const showSetupProgress =
  ({ setupProgresses }: Ports) =>
  async ({ accountId, product, locale }: Input): Promise<SetupView> =>
    setupView(product, await setupProgresses.get(accountId, product.id), locale);

export type ShowSetupProgress = ReturnType<typeof showSetupProgress>;
