import { describe } from 'vitest';
import { collectOverProcesses } from '../processes/collect.ts';
import { awsEngines } from './support/engines.ts';

describe('collect runs over several processes on DynamoDB', () => collectOverProcesses(awsEngines));
