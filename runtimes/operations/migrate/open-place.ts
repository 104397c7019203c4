import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DownloadSignature } from '../../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../../adapters/filesystem/filesystem-objects.ts';
import type { Table } from '../../../adapters/store/table.ts';
import type { TableDump } from '../../../adapters/store/table-dump.ts';
import { dataFiles } from '../../composition/data-dir.ts';
import { makeFolder } from '../../composition/make-folder.ts';
import type { ObjectsSpec, PlaceSpec, TableSpec } from './parse-place.ts';
import type { Place } from './place.ts';

export type OpenedPlace = Place & { readonly close: () => Promise<void> };

const tableName = (spec: TableSpec): string =>
  spec.engine === 'sqlite' ? `sqlite:${resolve(spec.folder)}` : `dynamodb:${spec.table}`;

const objectsName = (spec: ObjectsSpec): string =>
  spec.engine === 'filesystem' ? `filesystem:${resolve(spec.folder)}` : `s3:${spec.bucket}`;

/** The name of a place. It is the same for every way of writing the place. */
export const placeName = ({ table, objects }: PlaceSpec): string =>
  table.engine === 'sqlite' && objects.engine === 'filesystem' && resolve(table.folder) === resolve(objects.folder)
    ? `folder:${resolve(table.folder)}`
    : `${tableName(table)},${objectsName(objects)}`;

/** True if both places share a table or objects. */
export const overlap = (a: PlaceSpec, b: PlaceSpec): boolean =>
  tableName(a.table) === tableName(b.table) || objectsName(a.objects) === objectsName(b.objects);

type OpenedTable = { readonly table: Table; readonly dump: TableDump };

/** Loads an engine only if it is used, as in the composition. */
const openTable = async (spec: TableSpec): Promise<OpenedTable> => {
  if (spec.engine === 'dynamodb') return openDynamodb(spec.table);
  const { openSqliteTable } = await import('../../../adapters/sqlite/sqlite-table.ts');
  const table = openSqliteTable(dataFiles(spec.folder).table);
  return { table, dump: table };
};

/** Region, credentials and endpoint come from the SDK's own variables. */
const openDynamodb = async (name: string): Promise<OpenedTable> => {
  const [{ dynamodbClient }, { DynamodbTable }, { DynamodbDump, PATIENT }] = await Promise.all([
    import('../../../adapters/dynamodb/client.ts'),
    import('../../../adapters/dynamodb/dynamodb-table.ts'),
    import('../../../adapters/dynamodb/dynamodb-dump.ts'),
  ]);
  const client = dynamodbClient();
  // This ping has the short time limits of a request, so that a wrong name or address fails at once and not after the
  // long ones of a copy.
  await new DynamodbTable(name, client).ping();
  return { table: new DynamodbTable(name, client, PATIENT), dump: new DynamodbDump(name, client) };
};

const openObjects = async (spec: ObjectsSpec): Promise<Pick<Place, 'objects' | 'listing'>> => {
  if (spec.engine === 's3') return openS3(spec.bucket);
  // No download is signed here, so that any secret will do.
  const signature = new DownloadSignature({ secret: randomBytes(32), baseUrl: '' });
  const objects = new FilesystemObjects(dataFiles(spec.folder).objects, signature);
  return { objects, listing: objects };
};

const openS3 = async (bucket: string): Promise<Pick<Place, 'objects' | 'listing'>> => {
  const [{ S3Objects }, { S3Listing }] = await Promise.all([
    import('../../../adapters/s3/s3-objects.ts'),
    import('../../../adapters/s3/s3-listing.ts'),
  ]);
  const objects = new S3Objects(bucket);
  await objects.ping();
  return { objects, listing: new S3Listing(bucket) };
};

const makeTarget = (folder: string): void => {
  try {
    makeFolder(resolve(folder));
  } catch (error) {
    throw new Error(`The folder ${folder} can't be made (${(error as NodeJS.ErrnoException).code}).`);
  }
};

/** Creates the folders of a target. Throws a one-line error if a source does not exist. */
const prepare = ({ table, objects }: PlaceSpec, as: 'source' | 'target'): void => {
  if (as === 'target') {
    for (const part of [table, objects]) if ('folder' in part) makeTarget(part.folder);
    return;
  }
  if (table.engine === 'sqlite' && !existsSync(dataFiles(table.folder).table)) {
    throw new Error(`There is no store in ${table.folder}.`);
  }
  if (objects.engine === 'filesystem' && !existsSync(dataFiles(objects.folder).objects)) {
    throw new Error(`There are no objects in ${objects.folder}.`);
  }
};

/** Opens a place to copy from or to. Throws a one-line error if that fails. */
export const openPlace = async (spec: PlaceSpec, as: 'source' | 'target'): Promise<OpenedPlace> => {
  prepare(spec, as);
  const { table, dump } = await openTable(spec.table);
  const keysFolder = 'folder' in spec.table ? dirname(dataFiles(spec.table.folder).licenseKey) : undefined;
  const close = () => table.close();
  try {
    return { name: placeName(spec), table, dump, ...(await openObjects(spec.objects)), keysFolder, close };
  } catch (error) {
    await close();
    throw error;
  }
};
