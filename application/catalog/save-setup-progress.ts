import type { Permit } from '../../domain/access/permit.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { completeSteps, type SetupProgressView, viewProgress } from '../../domain/catalog/setup-progress.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { SetupProgresses } from '../../ports/outbound/setup-progresses.ts';

export type Ports = { setupProgresses: SetupProgresses; clock: Clock };
export type Input = {
  accountId: number;
  product: Product;
  indexes: readonly number[] | undefined;
  permit: Promise<Permit>;
};

/** Replaces the completed steps. Without `indexes` nothing changes, so that an empty body can't erase the progress. */
export class SaveSetupProgress {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(input: Input): Promise<Outcome<SetupProgressView, 'validation_failed'>> {
    const { accountId, product, indexes } = input;
    const { setupProgresses, clock } = this.#ports;
    const total = product.setup_steps.length;
    const before = await setupProgresses.get(accountId, product.id);
    if (indexes === undefined) return ok(viewProgress(before, total));
    const after = completeSteps(before, indexes, total, clock.now());
    if (!after.ok) return after;
    await setupProgresses.save(await input.permit, accountId, product.id, after.value);
    return ok(viewProgress(after.value, total));
  }
}
