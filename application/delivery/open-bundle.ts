import type { Product } from '../../domain/catalog/product.ts';
import { currentBundle } from '../../domain/delivery/current-release.ts';
import type { InstallRefusal } from '../../domain/delivery/install-plan.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { releaseLine } from '../../domain/delivery/release-line.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Releases, Versions } from '../../ports/outbound/releases.ts';
import type { Download } from '../shared/download.ts';

type Ports = { releases: Releases; versions: Versions; objects: ObjectStore; clock: Clock };

/** The current bundle file of a product. A release beyond the account's update window is refused. */
export class OpenBundle {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(input: {
    product: Product;
    access: Promise<GrantedAccess>;
  }): Promise<Outcome<Download, InstallRefusal>> {
    const { releases, versions, objects, clock } = this.#ports;
    const { product } = input;
    const [released, { updates_supported_until }] = await Promise.all([releases.of([product.id]), input.access]);
    const order = versions.order(product.version_scheme);
    const line = releaseLine(product, released.get(product.id) ?? [], clock.now(), order);
    const current = currentBundle(line, updates_supported_until);
    if (!current.ok) return current;
    const { filename, sha256, size } = current.value.artifact;
    return ok({
      filename,
      sha256,
      size,
      open: async (range) => (await objects.open(objectKeyOf(sha256), range))?.stream,
    });
  }
}
