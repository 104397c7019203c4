import type { Product } from '../../domain/catalog/product.ts';
import { productNamed } from '../../domain/catalog/product-named.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';

export type Ports = { catalogs: Catalogs };

/** The product with an id or slug. */
export class FindProduct {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(named: string): Promise<Outcome<Product, 'product_not_found'>> {
    const product = productNamed(await this.#ports.catalogs.current(), named);
    return product ? ok(product) : refuse('product_not_found', { message: `There is no product ${named}.` });
  }
}
