import { describe } from 'vitest';
import { collectOverProcesses } from '../processes/collect.ts';
import { leasesOverProcesses } from '../processes/leases.ts';
import { limitsOverProcesses } from '../processes/limits.ts';
import { newDatabase } from './databases.ts';

const onPostgres = async () => ({ STORE: 'postgres', DATABASE_URL: await newDatabase() });

describe('limits over three processes on one PostgreSQL database', () => limitsOverProcesses(onPostgres));
describe('sessions over three processes on one PostgreSQL database', () => leasesOverProcesses(onPostgres));
describe('collect runs over two processes on one PostgreSQL database', () => collectOverProcesses(onPostgres));
