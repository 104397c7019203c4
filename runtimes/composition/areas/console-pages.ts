import { consoleUseCases } from '../../../adapters/web/console/parts.ts';

/** The pages of the console on the shop host. */
export const consolePages = { parts: consoleUseCases };
