import { describe } from 'vitest';
import { leasesOverProcesses } from './leases.ts';

describe('sessions over three processes on one SQLite file', () => leasesOverProcesses(() => ({})));
