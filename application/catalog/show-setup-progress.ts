import type { Product } from '../../domain/catalog/product.ts';
import { type SetupProgressView, viewProgress } from '../../domain/catalog/setup-progress.ts';
import type { SetupProgresses } from '../../ports/outbound/setup-progresses.ts';

export type Ports = { setupProgresses: SetupProgresses };

export class ShowSetupProgress {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ accountId, product }: { accountId: number; product: Product }): Promise<SetupProgressView> {
    return viewProgress(await this.#ports.setupProgresses.get(accountId, product.id), product.setup_steps.length);
  }
}
