import { describe } from 'vitest';
import { documentsOverProcesses } from '../processes/documents.ts';
import { awsEngines } from './support/engines.ts';

describe('design documents over three processes on DynamoDB', () => documentsOverProcesses(awsEngines));
