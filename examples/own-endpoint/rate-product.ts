import type { Permit } from 'account-service/domain/access/permit';
import type { ProductUse } from 'account-service/domain/devices/product-use';
import { type Outcome, ok, refuse } from 'account-service/domain/shared/outcome';
import type { Clock } from 'account-service/ports/clock';
import type { ProductUses } from 'account-service/ports/product-uses';

export type Rating = { readonly stars: number; readonly rated_at: string };
type Rated = Outcome<Rating, 'product_not_used'>;

/** The rule: only an account that has used a product may rate it. */
export const rate = (use: ProductUse | undefined, stars: number, now: string): Rated =>
  use ? ok({ stars, rated_at: now }) : refuse('product_not_used');

/** The port: where ratings are kept. What writes takes a permit, so that no write comes before the gates. */
export interface Ratings {
  save(permit: Permit, accountId: number, productId: number, rating: Rating): Promise<void>;
}

type Ports = { ratings: Ratings; productUses: Pick<ProductUses, 'of'>; clock: Clock };
type Input = { accountId: number; productId: number; stars: number; permit: Promise<Permit> };

/** The use case. It reads beside the gates, and writes once they let the request pass. */
export class RateProduct {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ accountId, productId, stars, permit }: Input): Promise<Rated> {
    const { ratings, productUses, clock } = this.#ports;
    const known = (await productUses.of(accountId)).get(productId);
    const rated = rate(known?.use, stars, clock.now());
    if (rated.ok) await ratings.save(await permit, accountId, productId, rated.value);
    return rated;
  }
}
