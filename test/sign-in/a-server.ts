import { onTestFinished } from 'vitest';
import { PERSONAL_KEY_ABILITIES } from '../../domain/access/abilities.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { type Running, start } from '../../runtimes/express/start.ts';
import { FREE_PORTS } from '../support/free-ports.ts';

/* Helpers for tests of real clients: the whole service on free ports, in memory, with the sample store. */

/** The demo account of the sample store. */
export const DEMO = { email: 'demo@example.com', password: 'demo-password', id: 1 };

/** Another account of the sample store. */
export const OTHER = { email: 'other@example.com', password: 'other-password', id: 2 };

const ENVIRONMENT = {
  STORE: 'memory',
  OBJECTS: 'memory',
  ...FREE_PORTS,
  LISTEN_ADDRESS: '127.0.0.1',
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
  LOG_LEVEL: 'silent',
};

/** Starts the service, which stops after the test. */
export const aServer = async (env: Readonly<Record<string, string>> = {}): Promise<Running> => {
  const running = await start({ ...ENVIRONMENT, ...env });
  onTestFinished(() => running.stop());
  return running;
};

/** Creates an API key of the demo account. */
export const aKey = async ({ service }: Running, abilities = PERSONAL_KEY_ABILITIES): Promise<string> => {
  const input = { account_id: DEMO.id, name: 'test', abilities };
  const created = await service.get('createApiKey')(grantPermit(), input);
  if (!created.ok) throw new Error(created.message);
  return created.value.value;
};
