import { describe } from 'vitest';
import { limitsOverProcesses } from './limits.ts';

describe('limits over three processes on one SQLite file', () => limitsOverProcesses(() => ({})));
