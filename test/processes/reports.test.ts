import { describe } from 'vitest';
import { reportsOverProcesses } from './reports.ts';

describe('reports over two processes on one SQLite file', () => reportsOverProcesses(() => ({})));
