import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { AGENT_ROLES, type AgentRole } from '../../../domain/access/principal.ts';
import { openService } from '../../processes/data-dir.ts';
import { killServer, startServer } from '../../processes/server.ts';
import { anAgent } from '../../surface/agents.ts';
import { aPng, captureFields, RUNS, runBody, uploadForm } from '../../surface/captures.ts';

/** The sample store's demo account, and one of its products. */
const ACCOUNT = 1;
const PRODUCT = 4;
const LOOKS = 300;

/** The fuzzer's credentials. */
export type Credentials = Readonly<Record<AgentRole | 'key' | 'productKey' | 'lastKey', string>>;

export type Known = Readonly<Record<string, readonly (string | number)[]>>;

export type Served = {
  /** The address of the API host, which serves the document of all hosts. */
  readonly api: string;
  readonly credentials: Credentials;
  /** Parameter values that name existing records, by place and name. */
  readonly known: Known;
  readonly stop: () => Promise<void>;
};

const createCredentials = async (dataDir: string): Promise<Credentials> => {
  const { service, close } = await openService(dataDir);
  const key = async (name: string, product_id?: number): Promise<string> => {
    const input = { account_id: ACCOUNT, name, abilities: ABILITIES, ...(product_id !== undefined && { product_id }) };
    const created = await service.get('createApiKey')(grantPermit(), input);
    if (!created.ok) throw new Error(created.message ?? created.code);
    return created.value.value;
  };
  const roles = await Promise.all(AGENT_ROLES.map(async (role) => [role, (await anAgent(service, role)).key] as const));
  const keys = { key: await key('fuzzer'), lastKey: await key('last'), productKey: await key('product', PRODUCT) };
  await close();
  return { ...keys, ...(Object.fromEntries(roles) as Record<AgentRole, string>) };
};

/** Calls the design host as a collector. Throws unless the call is accepted. */
const collectOn =
  (design: string, token: string) =>
  async (path: string, body: object | FormData): Promise<unknown> => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${design}${RUNS}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, ...(!isForm && { 'Content-Type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${RUNS}${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

/** Fills the gallery with one screen, and opens the run to which the fuzzer uploads. Returns the ids of both runs. */
const collect = async (design: string, token: string): Promise<number[]> => {
  const call = collectOn(design, token);
  const open = async (): Promise<number> => ((await call('', runBody)) as { run: { id: number } }).run.id;
  const first = await open();
  const page = new TextEncoder().encode('<!doctype html><title>Orders</title><h1>Your orders</h1>');
  await call(`/${first}/captures`, uploadForm(captureFields(), { image: aPng(), html: page }));
  await call(`/${first}/submit`, {});
  return [first, await open()];
};

/** The id of the screen, once the gallery has one. */
const firstScreen = async (design: string): Promise<number> => {
  for (let look = 0; look < LOOKS; look++) {
    const { data } = (await (await fetch(`${design}/api/v1/screens`)).json()) as { data: { id: number }[] };
    if (data[0]) return data[0].id;
    await sleep(100);
  }
  throw new Error('The gallery stays empty.');
};

/** Starts the server as `npm start` does, with the sample store, a gallery of one screen, and practically no limits. */
export const serve = async (): Promise<Served> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'account-service-fuzz-'));
  const server = await startServer(dataDir, { TRUSTED_PROXIES: 'loopback', SAMPLE_STORE: 'always' });
  const stop = async (): Promise<void> => {
    await killServer(server, 'SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const credentials = await createCredentials(dataDir);
    const runs = await collect(server.design, credentials.collect);
    const screen = await firstScreen(server.design);
    const known = {
      'path.product': [1, 3, 4, 5, 10],
      'path.release': [11, 21, 31, 33],
      'path.run': runs,
      'path.number': [1, 2, 3],
      'path.order': [1, 2, 3],
      'path.id': [3, screen],
      'path.slug': ['design-principles', 'release-notes', 'buttons'],
      'query.release': [11, 21, 31, 33],
      'body.product_id': [1, 3, 4, 5, 10],
    };
    return { api: server.url, credentials, known, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
