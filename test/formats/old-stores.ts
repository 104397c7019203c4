import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { unpack } from './packed.ts';

export const STORES = join(import.meta.dirname, 'stores');

/** The dates of the versions whose stores are saved here, oldest first. */
export const DAYS = readdirSync(STORES).flatMap((name) => (name.endsWith('.gz') ? [name.slice(0, -3)] : []));

/** The credentials and other known values of a store. */
export type Known = {
  /** The format of its data; absent for versions without formats. */
  readonly format?: number;
  readonly made_at: string;
  readonly ports: Readonly<Record<string, string>>;
  /** An API key of the demo account. */
  readonly key: string;
  /** The cookies of a browser that the demo account is signed in with. */
  readonly browser: Readonly<Record<string, string>>;
  readonly app: { readonly client_id: string; readonly refresh_token: string };
  /** A device that waits for approval. */
  readonly waiting: { readonly device_code: string; readonly user_code: string };
  readonly license: { readonly token: string; readonly device: object; readonly publicKey: { readonly kid: string } };
  /** The devices that hold every slot of the demo account's product. */
  readonly device_ids: readonly string[];
  /** An account whose address has a domain of another script. */
  readonly grace: { readonly email: string; readonly password: string };
  /** The event of a delivered sale; null for a version without webhooks. */
  readonly sale: { readonly id: string; readonly event: object } | null;
  /** An agent that collects pages, and its open run. */
  readonly agent: { readonly key: string; readonly run: number };
};

export const knownOf = (day: string): Known => JSON.parse(readFileSync(join(STORES, `${day}.json`), 'utf8'));

/** Unpacks the backup that the version of a day made of its store. */
export const unpackBackup = (day: string, folder: string): void =>
  unpack(readFileSync(join(STORES, `${day}.gz`)), folder);

/**
 * Sets the clock to the minute after the store was created, because sessions and links expire. The clock runs on from
 * there.
 */
export const backThen = ({ made_at }: Known): void => {
  vi.useFakeTimers({ now: Date.parse(made_at) + 60_000, toFake: ['Date'], shouldAdvanceTime: true });
};

type Told = { readonly check: string; readonly kind: string; readonly message: string };

/** Expects that the doctor finds nothing wrong. */
export const expectSound = ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }): void => {
  const found = JSON.parse(stdout || JSON.stringify([{ check: 'doctor', kind: 'wrong', message: stderr }])) as Told[];
  expect(found.filter(({ kind }) => kind === 'wrong')).toEqual([]);
  expect(code).toBe(0);
};
