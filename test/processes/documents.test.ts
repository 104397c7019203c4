import { describe } from 'vitest';
import { documentsOverProcesses } from './documents.ts';

describe('design documents over three processes on one SQLite file', () => documentsOverProcesses(() => ({})));
