import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { openSpool } from '../../runtimes/express/start.ts';

const NOW = Date.parse('2026-11-21T08:00:00.000Z');
const HOUR_MS = 3_600_000;

describe('the spool folder of a server', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'account-service-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const onDisk = () => readConfig({ DATA_DIR: dataDir });
  const folder = () => join(dataDir, 'spool');
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  test('the spool folder is below DATA_DIR and accessible only to its owner', async () => {
    const spool = openSpool(onDisk()).take('AGENT#1');
    expect(modeOf(folder())).toBe(0o700);
    await spool?.write(Readable.from([Buffer.from('abc')]));
    expect(readdirSync(folder())).toHaveLength(1);
    await spool?.remove();
    expect(readdirSync(folder())).toEqual([]);
  });

  test('one caller uses at most 20 of the 32 places, and gets one back with each finished form', async () => {
    const spool = openSpool(onDisk());
    const taken = Array.from({ length: 21 }, () => spool.take('AGENT#1'));
    expect(taken.filter(Boolean)).toHaveLength(20);
    expect(spool.take('AGENT#2')).toBeDefined();
    await taken[0]?.remove();
    expect(spool.take('AGENT#1')).toBeDefined();
    expect(spool.take('AGENT#1')).toBeUndefined();
  });

  test('all callers together use at most 32 places', () => {
    const spool = openSpool(onDisk());
    const taken = Array.from({ length: 40 }, (_, caller) => spool.take(`ACCOUNT#${caller}`));
    expect(taken.filter(Boolean)).toHaveLength(32);
  });

  test('an existing spool folder is closed to other users', () => {
    mkdirSync(folder(), { mode: 0o755 });
    openSpool(onDisk());
    expect(modeOf(folder())).toBe(0o700);
  });

  test('no spool folder is created when nothing is stored on disk', () => {
    openSpool(readConfig({ DATA_DIR: dataDir, STORE: 'memory', OBJECTS: 'memory' }));
    expect(existsSync(folder())).toBe(false);
  });

  test('the sweep removes spooled files older than an hour and nothing else', async () => {
    const spool = openSpool(onDisk());
    const files = { 'account-service-upload-old': HOUR_MS + 1000, 'account-service-upload-new': HOUR_MS, other: 9e8 };
    for (const [name, age] of Object.entries(files)) {
      writeFileSync(join(folder(), name), 'abc');
      utimesSync(join(folder(), name), (NOW - age) / 1000, (NOW - age) / 1000);
    }
    await spool.sweep(NOW);
    expect(readdirSync(folder()).sort()).toEqual(['account-service-upload-new', 'other']);
  });
});
