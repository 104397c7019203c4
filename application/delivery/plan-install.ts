import type { Product } from '../../domain/catalog/product.ts';
import {
  chooseInstall,
  type InstallRefusal,
  type InstallWish,
  releaseLine,
} from '../../domain/delivery/offered-release.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { productName } from '../catalog/product-views.ts';
import type { Step } from '../shared/steps.ts';
import { signFile } from './sign-file.ts';

export type Ports = Needs<'clock' | 'objects' | 'releases' | 'versions'>;
export type Input = { product: Product; wish: InstallWish; locale: Locale };

/**
 * The release and file that suit the wish, with a signed URL (ProductInstallData of the specification). Writes nothing.
 */
export const planInstall = (ports: Ports) => {
  const { releases, versions, clock } = ports;

  return async ({
    product,
    wish,
    locale,
  }: Input): Promise<Step<Outcome<{ data: InstallPlan }, InstallRefusal>, GrantedAccess>> => {
    const released = await releases.of([product.id]);
    return async ({ access }) => {
      const order = versions.order(product.version_scheme);
      const line = releaseLine(product, released.get(product.id) ?? [], clock.now(), order);
      const chosen = chooseInstall(line, access.updates_supported_until, wish);
      if (!chosen.ok) return chosen;
      const { release, artifact } = chosen.value;
      const download = await signFile(ports, artifact);
      return ok({
        data: {
          product_id: product.id,
          kind: product.delivery.strategy,
          name: productName(product, locale),
          version: release.version,
          build: release.build,
          channel: release.channel,
          filename: artifact.filename,
          sha256: artifact.sha256,
          size: artifact.size,
          format: artifact.format,
          download_url: download.url,
          download_expires_at: download.expires_at,
          target: artifact.platform ?? 'any',
          slug: product.slug,
          release_id: release.id,
        },
      });
    };
  };
};

export type PlanInstall = ReturnType<typeof planInstall>;

export type InstallPlan = {
  product_id: number;
  kind: string;
  name: string;
  version: string;
  build: string | null;
  channel: string | null;
  filename: string;
  sha256: string;
  size: number;
  format: string;
  download_url: string;
  download_expires_at: string;
  target: string;
  slug: string | null;
  release_id: number | null;
};
