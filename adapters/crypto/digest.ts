import { hash } from 'node:crypto';
import type { Digest } from '../../ports/outbound/digest.ts';

export const digest: Digest = { sha256: (text) => hash('sha256', text, 'hex') };
