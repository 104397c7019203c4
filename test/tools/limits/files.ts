import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_BODY_BYTES } from '../../../adapters/host/request-body.ts';
import { limitsDocument } from './document.ts';

export const LIMITS_PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'limits.md');

export const limitsPage = (): string => limitsDocument(DEFAULT_BODY_BYTES);

export const writeLimitsPage = (): Promise<void> => writeFile(LIMITS_PAGE, limitsPage());
