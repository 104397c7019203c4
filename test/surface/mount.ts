import type { PublicJwk } from '../../domain/signing/signing-key-ring.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import type { WebhookSecrets } from '../../runtimes/configuration/config.ts';

/** A running service. The suite calls it over HTTP, and uses `service` only to prepare and inspect a case. */
export type Mount = {
  readonly urls: Readonly<Record<Host, string>>;
  /** The address of the legacy host, which forwards to the API host. */
  readonly legacyUrl: string;
  readonly service: Service;
  /** The public key that verifies license tokens. */
  readonly licenseKey: PublicJwk;
  /** The internal faults so far. A suite that causes none expects an empty list. */
  readonly faults: readonly unknown[];
  /** The log lines of the requests so far, each as one object. */
  readonly requestLines: () => readonly Readonly<Record<string, unknown>>[];
  /** True if the runtime normalizes the path of a request before the service sees it. */
  readonly normalizesPaths?: boolean;
  readonly close: () => Promise<void>;
};

/** The requests per minute. By default, the limit is above the requests of any suite. */
export type MountSettings = {
  readonly perAccount?: number;
  readonly perAgent?: number;
  readonly perAddress?: number;
  readonly filesPerAddress?: number;
  /** The secrets of payment providers' webhooks. */
  readonly webhookSecrets?: WebhookSecrets;
  /** The origins whose pages may call the hosts. */
  readonly corsOrigins?: readonly string[];
};

/** Opens a mount on an empty store. */
export type OpenMount = (settings?: MountSettings) => Promise<Mount>;

/** The environment variables for these secrets. */
export const webhookVariables = ({ webhookSecrets = {} }: MountSettings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(webhookSecrets).map(([name, secrets]) => [
      `${name.toUpperCase()}_WEBHOOK_SECRET`,
      secrets.join(','),
    ]),
  );
