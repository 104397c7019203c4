import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountKeys } from '../../adapters/store/keys/accounts.ts';
import { mailKeys } from '../../adapters/store/keys/mail.ts';
import { lastRunKey } from '../../adapters/store/keys/store.ts';
import { StoredMessages } from '../../adapters/store/messages.ts';
import { itemOf } from '../../adapters/store/records.ts';
import { systemClock, systemIds } from '../../adapters/system/system.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { newMessage } from '../../domain/mail/message.ts';
import { addDays, MINUTE_MS, toInstant } from '../../domain/shared/instant.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { checkClientDocuments } from '../../runtimes/doctor/configuration.ts';
import { examine } from '../../runtimes/doctor/doctor.ts';
import { openEngines } from '../../runtimes/engines/open-engines.ts';
import { API, aDoctoredStore, STOCKED, URLS } from '../support/doctored-store.ts';
import { freePort } from '../support/free-port.ts';
import { anOpenidUpstream, listening } from '../support/openid-upstream.ts';
import { productEntry } from '../support/store-folder.ts';

type Doctored = Awaited<ReturnType<typeof aDoctoredStore>>;

let dataDir: string;
let examined: Doctored['findings'];
let wrongs: Doctored['wrongs'];
let fill: Doctored['fill'];
let put: Doctored['put'];

/** Runs the command at the end of the advice. */
const follow = async (advice = ''): Promise<void> => {
  const [, command = '', ...args] = /run: (.+)$/.exec(advice)?.[1]?.match(/^(\S+) (.+)$/) ?? [];
  await promisify(execFile)(command, (args[0] ?? '').split(' '));
};

const upstreamAt = (issuer: string) => ({
  UPSTREAM_ISSUER: issuer,
  UPSTREAM_CLIENT_ID: 'account-service',
  UPSTREAM_CLIENT_SECRET: 'a secret of sixteen or more characters',
  UPSTREAM_NAME: 'Shop',
});

beforeEach(async () => {
  ({ dataDir, findings: examined, wrongs, fill, put } = await aDoctoredStore());
});

describe('the doctor', () => {
  test('the doctor finds nothing wrong with a stocked store and leaves it unchanged', async () => {
    await fill(STOCKED);
    expect(await wrongs()).toEqual([]);
    const before = await readdir(join(dataDir, 'objects'), { recursive: true });
    expect(await wrongs()).toEqual([]);
    expect(await readdir(join(dataDir, 'objects'), { recursive: true })).toEqual(before);
  });

  test('the doctor finds an account of the sample store that others can use with its public password', async () => {
    const demo = { id: 1, email: 'demo@example.com', password: 'demo-password', created_at: '2026-01-01T00:00:00Z' };
    await fill({ ...STOCKED, accounts: [demo] });
    expect(await wrongs()).toEqual([]);
    expect(await wrongs({ ACCOUNT_URL: 'https://account.example.com' })).toEqual([
      'demo account: Others reach this server, and anyone can sign in as demo@example.com with the password of the sample store; run: account erase demo@example.com',
    ]);
    expect(await wrongs({ ACCOUNT_URL: 'https://account.example.com', SAMPLE_STORE: 'always' })).toEqual([]);
  });

  test('the doctor names the accounts whose erasure has run for more than an hour', async () => {
    await fill(STOCKED);
    for (const [account_id, minutes] of [
      [7, 61],
      [8, 59],
    ] as const) {
      const erased_at = toInstant(Date.now() - minutes * MINUTE_MS);
      const data = { account_id, erased_at, free_at: erased_at };
      await put({ ...accountKeys.unfinishedErasure(account_id), data });
    }
    expect(await wrongs()).toEqual([
      'erasures: The erasure of these accounts has not ended for more than an hour: 7; run: account erase ID --yes, or account merge ID INTO --yes',
    ]);
    const now = toInstant(Date.now());
    const walk = { accounts: [7, 8], after: null, entries: 5000, began_at: now, walked_at: now, taken_until: now };
    await put({ ...accountKeys.erasureWalk(), data: walk });
    const message = `One walk erases 2 accounts: 5000 entries read from ${now} to ${now}.`;
    expect(await examined()).toContainEqual(expect.objectContaining({ ok: true, check: 'erasures', message }));
  });

  test('the doctor names every variable with a wrong value', async () => {
    expect(await wrongs({ STORE: 'oracle', API_PORT: 'x' })).toEqual([
      expect.stringMatching(/^configuration: STORE takes one of/),
      expect.stringMatching(/^configuration: API_PORT takes a whole number/),
    ]);
  });

  test('the doctor finds no sign-in method with passwords off, unless the server has its own provider', async () => {
    await fill(STOCKED);
    const off = { PASSWORD_SIGN_IN: 'off' };
    expect(await wrongs(off)).toEqual([expect.stringMatching(/^configuration: PASSWORD_SIGN_IN takes on unless/)]);
    expect((await examined(off, { ownSignIn: true })).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('the doctor finds a provider that answers and shows its redirect address', async () => {
    await fill(STOCKED);
    const { issuer } = await anOpenidUpstream();
    const findings = await examine({ DATA_DIR: dataDir, ...upstreamAt(issuer) }, () => URLS);
    expect(findings.filter(({ check }) => check === 'upstream')).toEqual([
      {
        check: 'upstream',
        ok: true,
        kind: 'fine',
        message: `Shop answers at ${issuer}; its client must have the redirect URI ${API}/sign-in/callback.`,
      },
    ]);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  });

  test('the doctor says what to do about a provider that does not answer', async () => {
    await fill(STOCKED);
    const issuer = `http://127.0.0.1:${await freePort()}`;
    expect(await wrongs(upstreamAt(issuer))).toEqual([
      expect.stringMatching(
        /^upstream: There are no OpenID Connect metadata at .*\.well-known\/openid-configuration \(.+\); check UPSTREAM_ISSUER/,
      ),
    ]);
  });

  test('the doctor says what to do about a provider that names another issuer', async () => {
    await fill(STOCKED);
    const { issuer } = await anOpenidUpstream();
    const named = await (await fetch(`${issuer}/.well-known/openid-configuration`)).text();
    const other = await listening((_req: unknown, res: ServerResponse) => {
      res.setHeader('content-type', 'application/json').end(named);
    });
    expect(await wrongs(upstreamAt(other.url))).toEqual([
      `upstream: The provider at ${other.url} names another issuer; set UPSTREAM_ISSUER to the issuer in its metadata, letter by letter.`,
    ]);
  });

  test('the doctor looks for no provider where none is configured', async () => {
    await fill(STOCKED);
    const findings = await examined();
    expect(findings.filter(({ check }) => check === 'upstream')).toEqual([]);
  });

  test.each([
    ['RATE_LIMIT_PER_MINTE', 'RATE_LIMIT_PER_MINUTE'],
    ['RATE_LIMIT_PER_MINUTES', 'RATE_LIMIT_PER_MINUTE'],
    ['RATE_LIMIT_PER_MINTUE', 'RATE_LIMIT_PER_MINUTE'],
    ['TRUSTED_PROXYES', 'TRUSTED_PROXIES'],
  ])('the doctor reports the variable %s as a misspelling of %s', async (typed, meant) => {
    await fill(STOCKED);
    const told = `configuration: ${typed} is no variable of the service and sets nothing; name it ${meant}.`;
    expect(await wrongs({ [typed]: '1' })).toEqual([told]);
  });

  test('the doctor ignores variables of other programs and correctly spelt ones', async () => {
    await fill(STOCKED);
    const others = {
      API_URI: 'x',
      APP_ENV: 'x',
      APP_ROOT: 'x',
      ACCOUNT_ID: '1',
      RATE_LIMIT_BURST: '1',
      TRUSTED_PROXY: 'x',
    };
    expect(await wrongs({ ...others, RATE_LIMIT_PER_MINUTE: '7' })).toEqual([]);
  });

  test('the doctor does not create a missing folder', async () => {
    expect(await wrongs()).toEqual([expect.stringContaining('does not exist')]);
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
  });

  test('the doctor counts one item in the singular', async () => {
    await fill(STOCKED);
    const findings = await examined();
    expect(findings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'The catalog has 1 product with 1 release.',
        'The object store has every file with its size and SHA-256, 1 file in all.',
      ]),
    );
  });

  test.each([
    ['keys/artifact-signing.1.json', 0o644, '0644'],
    ['store.db', 0o640, '0640'],
    [`objects/bytes/${hash('sha256', 'tool')}`, 0o604, '0604'],
    ['objects/keys', 0o777, '0777'],
  ])('the doctor reports %s that others can access, and its advice fixes that', async (name, mode, shown) => {
    await fill(STOCKED);
    await chmod(join(dataDir, name), mode);
    const [told, ...others] = await wrongs();
    expect(others).toEqual([]);
    expect(told).toBe(`modes: Others may use ${name} (mode ${shown}); run: chmod -R go= ${dataDir}`);
    await follow(told);
    expect(await wrongs()).toEqual([]);
  });

  test('the doctor reports a folder that others can write to', async () => {
    await fill(STOCKED);
    await chmod(dataDir, 0o777);
    expect(await wrongs()).toEqual([
      `data-dir: Other users can write to ${dataDir} (mode 0777); run: chmod 700 ${dataDir}`,
    ]);
  });

  test('the doctor names the first steps of an empty store, and finds nothing wrong with it', async () => {
    await fill({}, { signing: false });
    const found = await examined();
    expect(found.filter(({ kind }) => kind === 'next').map(({ check }) => check)).toEqual([
      'policy',
      'catalog',
      'accounts',
      'mail',
      'backup',
    ]);
    expect(await wrongs()).toEqual([]);
  });

  test('the doctor reports products that cannot be installed', async () => {
    const manual = productEntry({ id: 2, delivery: { strategy: 'manual' } });
    await fill({ products: [productEntry({ id: 1 }), manual, productEntry({ id: 3, active: false })] });
    expect(await wrongs()).toEqual(['releases: There is no release of product-1; publish one.']);
  });

  test('the doctor names the missing key of the client policy as the next step', async () => {
    await fill(STOCKED, { signing: false });
    const findings = await examined();
    expect(findings.filter(({ check }) => check === 'policy')).toEqual([
      {
        check: 'policy',
        ok: true,
        kind: 'next',
        message: 'No key signs the client policy, so it is given out without a signature; run: signing-key create',
      },
    ]);
  });

  test('the doctor reports a store file that is not a database', async () => {
    await fill(STOCKED);
    for (const end of ['', '-wal', '-shm']) await rm(join(dataDir, `store.db${end}`), { force: true });
    await writeFile(join(dataDir, 'store.db'), 'this is no database, however long it may be read as one', {
      mode: 0o600,
    });
    expect(await wrongs()).toEqual([
      expect.stringMatching(/^store: The store .*not a database\. Stop the server, and restore/),
    ]);
  });

  test('the doctor reports a damaged database as a finding, and says what repairs it', async () => {
    await fill(STOCKED);
    const file = join(dataDir, 'store.db');
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill(0xff, 4096));
    expect(await wrongs()).toEqual([
      expect.stringMatching(/^store: .* its file is damaged\. Stop the server, and restore/),
    ]);
  });
});

test.each([
  [1, 'fine'],
  [3, 'wrong'],
])('a backup whose state is %i days old is %s', async (days, kind) => {
  await fill(STOCKED);
  const { table, close } = await openEngines(readConfig({ DATA_DIR: dataDir }), URLS);
  await table.put(itemOf(lastRunKey('backup'), { at: addDays(systemClock.now(), -days), faults: 0 }));
  await close();
  expect((await examined()).find(({ check }) => check === 'backup')).toMatchObject({ kind });
});

describe('waiting and failed messages', () => {
  test('the doctor lists messages that wait after an error and those that failed, with their reasons', async () => {
    await fill(STOCKED);
    const mail = async () => (await examined()).filter(({ check }) => check === 'mail').map(({ message }) => message);
    expect(await mail()).toEqual([
      `Messages reach nobody: they are files in ${join(dataDir, 'outbox')}; set SMTP_URL to send them.`,
    ]);
    const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), URLS);
    const [clock, messageIds] = [systemClock, systemIds()];
    const messages = new StoredMessages({ table: engines.table, clock, messageIds });
    const about = { kind: 'order', account_id: 7, subject_id: '5', product_id: null } as const;
    for (let n = 0; n < 2; n++) await messages.add(grantPermit(), about);
    const late = { ...newMessage(9, about, addDays(clock.now(), -1)) };
    const take = async () => {
      const taken = await messages.take(grantPermit(), clock.now(), addDays(clock.now(), 1));
      if (typeof taken === 'string') throw new Error(taken);
      return taken;
    };
    await messages.fail(grantPermit(), await take(), 'No such mailbox.', clock.now());
    await messages.release(grantPermit(), await take(), addDays(clock.now(), 1), 'The server is busy.');
    await engines.table.put(itemOf(mailKeys.message(late), late));
    await engines.close();
    expect(await mail()).toEqual([
      expect.stringMatching(/could not be sent.*\d+ \(order to account 7: No such mailbox\.\)$/),
      expect.stringMatching(
        /wait for another attempt, for 30 days: 9 \(order to account 7: no server sends it\), .*\(order to account 7: The server is busy\.\)$/,
      ),
    ]);
    // The operator's shell may lack the servers' mail setting.
    expect((await wrongs({ MAIL: 'off' })).filter((one) => one.startsWith('mail: '))).toHaveLength(2);
  });
});

describe('the outbound internet access for fetching clients’ documents', () => {
  test('the doctor finds outbound access if a well-known document answers, with any response', async () => {
    expect(await checkClientDocuments(async () => new Response(null, { status: 404 }))).toMatchObject({ kind: 'fine' });
  });

  test('missing outbound access is a next step, which names the setting that avoids the need', async () => {
    expect(await checkClientDocuments(() => Promise.reject(new Error('connect ENETUNREACH')))).toMatchObject({
      kind: 'next',
      message: expect.stringMatching(/ENETUNREACH.*CLIENT_DOCUMENTS=off$/),
    });
  });
});
