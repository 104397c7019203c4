import { describe } from 'vitest';
import { reportsOverProcesses } from './reports.ts';

describe('reports over four processes on one SQLite file', () => reportsOverProcesses(() => ({})));
