import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** The URL of a database on the shared server. */
export const urlOf = (database: string): string =>
  `postgres://store@localhost/${database}?host=${inject('postgres').PGHOST}`;

/** Runs a statement in a database. */
export const inDatabase = async (url: string, statement: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
};

/** Creates an empty database, and returns its URL. */
export const newDatabase = async (how = ''): Promise<string> => {
  const name = `shop_${randomBytes(6).toString('hex')}`;
  await inDatabase(urlOf('postgres'), `CREATE DATABASE ${name} ${how}`);
  return urlOf(name);
};
