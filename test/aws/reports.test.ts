import { describe } from 'vitest';
import { reportsOverProcesses } from '../processes/reports.ts';
import { awsEngines } from './support/engines.ts';

describe('reports over four processes on DynamoDB', () => reportsOverProcesses(awsEngines));
