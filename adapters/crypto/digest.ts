import { hash } from 'node:crypto';
import type { Digest } from '../../ports/outbound/system.ts';

export const digest: Digest = { sha256: (text) => hash('sha256', text, 'hex') };
