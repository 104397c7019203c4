import type { Express } from 'express';
import { consolePages } from '../../adapters/web/console/console-pages.ts';
import type { ConsoleParts, ConsoleSettings } from '../../adapters/web/console/parts.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import type { LimitAddress } from '../../application/access/limit-rate.ts';
import type { AccountServing } from './account-app.ts';
import type { Service } from './bootstrap.ts';
import { limitOf } from './hosts.ts';

export type ConsoleServing = Omit<AccountServing, 'service'> &
  Pick<ConsoleSettings, 'uploads'> & {
    readonly service: Service<ConsoleParts & { readonly limitAddress: LimitAddress }>;
  };

/** The console's app on the shop host: the pages by which people run the shop. */
export const consoleApp = ({ service, urls, options, spool, addressOf, uploads }: ConsoleServing): Express => {
  const pages = { urls, parts: service.parts, options: { addressOf, spool }, uploads };
  const { router, methods, answers } = consolePages(pages);
  return webApp([router], { ...options, addressOf, limit: limitOf(service), countsItself: true, methods }, answers);
};
