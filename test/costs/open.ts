import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { Ed25519ArtifactSigner } from '../../adapters/crypto/artifact-signer.ts';
import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import { dynamodbClient } from '../../adapters/dynamodb/client.ts';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/everything.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import type { Service } from '../../runtimes/composition/service.ts';
import { createTable } from '../support/create-table.ts';
import { openShop } from '../surface/shop.ts';
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
  const key = () => generateKeyPairSync('ed25519').privateKey;
  const engines = {
    table: new DynamodbTable(tableName, client),
    objects: new MemoryObjects(new DownloadSignature({ secret: randomBytes(32), baseUrl: HOST })),
    licenseSigner: new Ed25519Signer(key()),
    artifactSigner: new Ed25519ArtifactSigner(key()),
  };
  const urls = { api: HOST, design: HOST, app: HOST, account: HOST };
  const settings = { urls, perAccount: UNREACHED, perAddress: UNREACHED, catalogAge: 'unbounded' } as const;
  const another = () => bootstrap(settings, engines, EVERY_AREA);
  const service = another();
  await openShop(service);
  return { tableName, service, meter, another, close: () => engines.table.close() };
};
