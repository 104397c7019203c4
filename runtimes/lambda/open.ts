import type { Router } from 'express';
import type { AppOptions } from '../../adapters/http/app.ts';
import { SpoolFolder } from '../../adapters/http/spool.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import { bootstrap, type Service } from '../composition/bootstrap.ts';
import { catalogAge } from '../composition/engines.ts';
import { openLambdaEngines } from './engines.ts';
import { type Environment, openRuntime } from './open-runtime.ts';

/** The one folder that a function may write to. It is on a disk, and gone with the instance. */
const SPOOL = '/tmp';

export type Opened = {
  readonly service: Service;
  readonly options: AppOptions;
  /** Public addresses of the hosts. */
  readonly urls: Readonly<Record<Host, string>>;
  readonly spool: SpoolFolder;
  /** Serves the signed download URLs, where the object store doesn't do so itself. */
  readonly downloads: Router | undefined;
};

/** Opens the engines and wires the service. Once for each instance, before its first request. */
export const open = async (name: string, env: Environment): Promise<Opened> => {
  const { config, urls, options } = openRuntime(name, env);
  const engines = await openLambdaEngines(config, urls.api, env['LICENSE_KEY_SECRET_ARN'] || undefined);
  const { ratePerAccount: perAccount, ratePerAddress: perAddress } = config;
  const service = bootstrap({ urls, perAccount, perAddress, catalogAge: catalogAge(config) }, engines);
  const health = async (): Promise<void> => {
    await Promise.all([engines.table.ping(), engines.objects.ping()]);
  };
  return {
    service,
    urls,
    options: { ...options, health },
    spool: new SpoolFolder(SPOOL),
    downloads: engines.downloads,
  };
};
