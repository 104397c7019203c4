import { describe } from 'vitest';
import { limitsOverProcesses } from './limits.ts';

describe('limits over four processes on one SQLite file', () => limitsOverProcesses(() => ({})));
