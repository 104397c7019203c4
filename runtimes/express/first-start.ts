import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import { packageRoot } from '../composition/package-root.ts';
import type { Service } from '../composition/service.ts';
import { loadStoreFile } from '../operations/load-store.ts';
import { isEmptyStore } from './empty-store.ts';

const SAMPLES = join(packageRoot(), 'examples', 'store');
const SAMPLE_STORE = join(SAMPLES, 'store.json');
/** The first design document; the file's name is its slug. */
const DOCUMENT = 'design-principles';
const NAME = 'First start';

/** The demo account and its products, as the document of the sample store has them. */
const DEMO = { accountId: 1, email: 'demo@example.com', password: 'demo-password', productId: 4, appId: 3 };

/** The demo account and the key that was created for it. */
export type Demo = {
  readonly email: string;
  readonly password: string;
  readonly key: string;
  readonly productId: number;
  /** The token of an agent that collects pages for the gallery. */
  readonly agentToken: string;
  /** A Mac application, which has an appcast. */
  readonly appId: number;
};

/**
 * Loads the sample store into an empty store, signs its policy, creates a demo key and an agent's token, and approves
 * a first design document. Null, with nothing changed, for a store that has products or accounts.
 */
export const firstStart = async (service: Service): Promise<Demo | null> => {
  if (!(await isEmptyStore(service))) return null;
  const loaded = await loadStoreFile(service, SAMPLE_STORE);
  if (!loaded.ok) throw new Error(loaded.message ?? 'The sample store could not be loaded.');
  if ((await service.get('signingKeyRings').policy.read()).ring.length === 0)
    await service.get('createSigningKey').execute('policy');
  const wish = { account_id: DEMO.accountId, name: NAME, abilities: ABILITIES };
  const key = done(await service.get('createApiKey').execute(grantPermit(), wish)).value;
  const agent = done(await service.get('createAgentToken').execute(grantPermit(), { role: 'collect', name: NAME }));
  await approveDocument(service, { id: agent.token.id, name: NAME });
  const { email, password, productId, appId } = DEMO;
  return { email, password, productId, appId, key, agentToken: agent.value };
};

/** The value of a step that nothing can refuse in an empty store. */
const done = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.message ?? `The first start failed: ${outcome.code}.`);
  return outcome.value;
};

/** Writes, submits and approves the first design document. */
const approveDocument = async (service: Service, author: { id: number; name: string }): Promise<void> => {
  const body = await readFile(join(SAMPLES, `${DOCUMENT}.md`), 'utf8');
  const permit = Promise.resolve(grantPermit());
  const version = { slug: DOCUMENT, number: 1, permit };
  done(await service.get('createDocumentVersion').execute({ slug: DOCUMENT, body, base_version: 0, author, permit }));
  done(await service.get('submitDocumentVersion').execute({ ...version, agent: author }));
  const judgement = {
    verdict: 'approved',
    reason: 'The rules that the sample pages follow.',
    reviewer: author,
  } as const;
  done(await service.get('reviewDocumentVersion').execute({ ...version, ...judgement }));
};
