import { randomUUID } from 'node:crypto';
import { dynamodbClient } from '../../../adapters/dynamodb/client.ts';
import { PATIENT } from '../../../adapters/dynamodb/dynamodb-dump.ts';
import { DynamodbTable } from '../../../adapters/dynamodb/dynamodb-table.ts';
import { byHost } from '../../../ports/inbound/hosts.ts';
import { EVERY_AREA } from '../../../runtimes/composition/areas/all-areas.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { createTable } from '../../support/create-table.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { openShop } from '../../surface/shop.ts';
import { openUpdateShop } from '../../surface/update-shop.ts';
import { Meter } from './meter.ts';

const HOST = 'http://127.0.0.1';
const UNREACHED = 1_000_000;

/** The shop on a DynamoDB table whose calls are metered. */
export type MeteredShop = {
  readonly tableName: string;
  readonly service: Service;
  readonly meter: Meter;
  /** Opens a service on the same table, as a new process would, with nothing cached. */
  readonly another: () => Service;
  readonly close: () => Promise<void>;
};

/** Creates a table at the address in the SDK's variables and saves the shop in it. Files stay in memory. */
export const openMeteredShop = async (): Promise<MeteredShop> => {
  const tableName = `costs-${randomUUID()}`;
  const client = dynamodbClient();
  await createTable(client, tableName);
  const meter = new Meter(client, dynamodbClient(), tableName);
  const engines = { ...memoryEngines(), table: new DynamodbTable(tableName, client, PATIENT) };
  const urls = byHost(() => HOST);
  const settings = {
    urls,
    perAccount: UNREACHED,
    perAgent: UNREACHED,
    perAddress: UNREACHED,
    catalogAge: 'unbounded',
  } as const;
  const another = () => bootstrap(settings, engines, EVERY_AREA);
  const service = another();
  await openShop(service);
  await openUpdateShop(service);
  return { tableName, service, meter, another, close: () => engines.table.close() };
};
