import type { Product } from '../../domain/catalog/product.ts';
import { currentBundle } from '../../domain/delivery/current-release.ts';
import type { InstallRefusal } from '../../domain/delivery/install-plan.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Releases, Versions } from '../../ports/outbound/releases.ts';
import type { Download } from '../shared/download.ts';

type Ports = { releases: Releases; versions: Versions; objects: ObjectStore };

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
    const { releases, versions, objects } = this.#ports;
    const { id, version_scheme } = input.product;
    const [released, { updates_supported_until }] = await Promise.all([releases.of([id]), input.access]);
    const current = currentBundle(released.get(id) ?? [], updates_supported_until, versions.order(version_scheme));
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
