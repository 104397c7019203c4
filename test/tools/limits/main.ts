import { writeLimitsPage } from './files.ts';

/** `npm run -s limits` writes docs/limits.md from the constants in the code. */
await writeLimitsPage();
