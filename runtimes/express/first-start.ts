import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FirstStartClaim } from '../../adapters/store/operations.ts';
import { bothSteps } from '../../application/shared/steps.ts';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import { packageRoot } from '../composition/package-root.ts';
import type { Service } from '../composition/service.ts';
import { loadStoreFile } from '../operations/load-document.ts';
import { DEMO, type Demo } from './demo.ts';
import { isEmpty, readShop } from './shop.ts';

export type { Demo } from './demo.ts';

const SAMPLES = join(packageRoot(), 'examples', 'store');
const SAMPLE_STORE = join(SAMPLES, 'store.json');
/** The first design document; the file's name is its slug. */
const DOCUMENT = 'design-principles';
const NAME = 'First start';

/**
 * Loads the sample store into an empty store, signs its policy, creates a demo key and an agent's token, and approves
 * a first design document. Null, with nothing changed, for a store that has products or accounts. Of several processes
 * that start on one empty store, one fills it and the others wait.
 */
export const firstStart = (service: Service): Promise<Demo | null> =>
  new FirstStartClaim(service.get('table'), service.get('clock')).alone(async () => {
    // Another process may have filled the store since the catalog was read.
    service.get('storedCatalogs').copy.forget();
    return isEmpty(await readShop(service)) ? fill(service) : null;
  });

const fill = async (service: Service): Promise<Demo> => {
  const loaded = await loadStoreFile(service, SAMPLE_STORE, grantPermit());
  if (!loaded.ok) throw new Error(loaded.message ?? 'The sample store could not be loaded.');
  if ((await service.get('signingKeyRings').policy.read()).ring.length === 0)
    await service.get('createSigningKey')(grantPermit(), 'policy');
  const wish = { account_id: DEMO.accountId, name: NAME, abilities: ABILITIES };
  const key = done(await service.get('createApiKey')(grantPermit(), wish)).value;
  const agent = done(await service.get('createAgentToken')(grantPermit(), { role: 'collect', name: NAME }));
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
  const permit = grantPermit();
  const version = { slug: DOCUMENT, number: 1 };
  done(
    await bothSteps(permit, service.get('createDocumentVersion')({ slug: DOCUMENT, body, base_version: 0, author })),
  );
  done(await bothSteps(permit, service.get('submitDocumentVersion')({ ...version, agent: author })));
  const judgement = {
    verdict: 'approved',
    reason: 'The rules that the sample pages follow.',
    reviewer: author,
  } as const;
  done(await bothSteps(permit, service.get('reviewDocumentVersion')({ ...version, ...judgement })));
};
