import { describe } from 'vitest';
import { collectOverProcesses } from '../processes/collect.ts';
import { awsEngines } from './support/engines.ts';

describe('collecting over several processes on DynamoDB', () => collectOverProcesses(awsEngines));
