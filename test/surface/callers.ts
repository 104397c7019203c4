import { ABILITIES } from '../../domain/access/abilities.ts';
import { requires } from '../../domain/access/access-rule.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { TokenRole } from '../../domain/access/principal.ts';
import { newTrial } from '../../domain/licensing/trial.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { EndpointId } from '../../ports/inbound/endpoints.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { aDevice, aLease, anEntitlement } from '../support/builders.ts';
import { anAgent, goodRole } from './agents.ts';
import { aKey, anAccount } from './buyers.ts';
import { aDocument } from './documents.ts';
import { deviceOf, FLOATING, LEAKED, LEASE, UNUSED_KEY } from './good-requests.ts';
import { aRun, freeLock } from './runs.ts';
import { NOTES, OTHER, RETIRED, TOOL } from './shop.ts';
import {
  aClosedTicket,
  aKeyBatch,
  aMember,
  aPaymentEvent,
  aPendingOrder,
  aShoppedAccount,
  aTicket,
  aToken,
  aWebhook,
} from './shop-targets.ts';

/** The credential of a caller, and the number of the target in its valid requests (`pathOf`, `goodBody`). */
export type Caller = { readonly key: string | undefined; readonly product: number };

type Target = (service: Service, agentId: number) => Promise<number>;

/** Makes the owner of a team give up its seat, and invites a person with the id 1. */
const aTeam = async (service: Service, account: number, product = TOOL): Promise<number> => {
  const read = await service.get('teams').read(account, product);
  const invited_at = service.get('clock').now();
  const person = { id: 1, email: 'person@example.com', role: 'billing', invited_at, account_id: null } as const;
  const team = { ...read.team, gave_up: true, people: [person] } as const;
  await service.get('teams').change(grantPermit(), read, { team, after: person });
  return account;
};

const aShoppedTeam: Target = async (service) => aTeam(service, await aShoppedAccount(service));

/** Creates the target of an agent's valid request. Endpoints that are not listed accept any target. */
const TARGETS: Readonly<Partial<Record<EndpointId, Target>>> = {
  getDocument: aDocument,
  listDocumentVersions: aDocument,
  createDocumentVersion: aDocument,
  submitDocumentVersion: aDocument,
  createReview: aDocument,
  openCollectRun: async (service) => {
    await freeLock(service);
    return TOOL;
  },
  getCollectRun: aRun,
  uploadCollectAsset: aRun,
  uploadCollectCapture: aRun,
  failCollectRun: aRun,
  submitCollectRun: aRun,
  listShopProducts: async () => TOOL,
  findProduct: async () => TOOL,
  listProductReleases: async () => TOOL,
  describeProduct: async () => TOOL,
  changeProduct: async () => RETIRED,
  importLicenseKeys: async () => OTHER,
  publishRelease: async () => RETIRED,
  changeRelease: async () => TOOL,
  createPolicyKey: async (service) => {
    const { policy } = service.get('signingKeyRings');
    await policy.save([], await policy.read());
    return TOOL;
  },
  revokeApiKey: async (service) => (await aKey(service, await anAccount(service))).key.id,
  mergeAccounts: async (service) => {
    await anAccount(service);
    return anAccount(service);
  },
  restoreDevice: async (service) => {
    const account = await aShoppedAccount(service);
    const device = { account_id: null, product: 'tool', device_id: deviceOf(account), reason: null };
    await service.get('withdrawDevice')(grantPermit(), device);
    return account;
  },
  inviteToAccountTeam: aShoppedTeam,
  removeFromAccountTeam: aShoppedTeam,
  showTrials: async () => TOOL,
  changeTrial: async (service) => {
    const account = await aShoppedAccount(service);
    const trial = newTrial(NOTES, 14, service.get('clock').now());
    await service.get('trials').start(grantPermit(), deviceOf(account), trial, { trial: undefined, version: null });
    return account;
  },
  createLicenseKey: (service) => anAccount(service, { entitlements: [{ product_id: OTHER }] }),
  revokeLeakedKey: async (service) => {
    const { key, value } = await aKey(service, await anAccount(service));
    LEAKED.set(key.id, value);
    return key.id;
  },
  settleOrder: (service) => aPendingOrder(service),
  showEvent: aPaymentEvent,
  listEvents: aPaymentEvent,
  showReport: aTicket,
  answerTicket: aTicket,
  closeTicket: aTicket,
  reopenTicket: aClosedTicket,
  addMember: (service) => anAccount(service),
  changeMember: aMember,
  removeMember: aMember,
  createMemberLink: aMember,
  revokeAgentToken: aToken,
  testNotices: async (service) => {
    await service.get('changeStorefront')(grantPermit(), { notify: { to: ['owner@example.com'] } });
    return aShoppedAccount(service);
  },
  revokeKeyBatch: async (service) => (await aKeyBatch(service)).batch.id,
  createWebhook: aWebhook,
  changeWebhook: aWebhook,
  deleteWebhook: aWebhook,
  rotateWebhookSecret: aWebhook,
  pingWebhook: aWebhook,
  listDeliveries: aWebhook,
  resendDelivery: aWebhook,
};

const targetOf = (id: EndpointId, host: Host): Target | undefined =>
  TARGETS[id] ?? (host === 'shop' ? aShoppedAccount : undefined);

const anAgentCaller = async (service: Service, { id, host }: EndpointSpec, role: TokenRole): Promise<Caller> => {
  const agent = await anAgent(service, role);
  return { key: agent.key, product: (await targetOf(id as EndpointId, host)?.(service, agent.id)) ?? TOOL };
};

/** Gives the account the device, the session, the people of a team or the license that a valid request of the endpoint needs, if any. */
export const seatReleased = async (service: Service, { id }: EndpointSpec, account: number, product = TOOL) => {
  if (id === 'redeemLicenseKey') UNUSED_KEY.value = (await aKeyBatch(service)).keys[0] ?? '';
  if (id === 'inviteToTeam' || id === 'removeFromTeam') await aTeam(service, account, product);
  if (id === 'releaseLicenseDevice') {
    const { slots } = await service.get('devices').find(account, product, null);
    await service.get('devices').activate(grantPermit(), account, product, aDevice({ device_id: 'a-device' }), slots);
  }
  if (id === 'returnLease' || id === 'releaseLease') {
    const lease = aLease({ lease_id: LEASE, product_id: product });
    await service.get('leases').save(grantPermit(), account, lease, undefined);
  }
  if (id === 'leaseLicense') {
    const input = { account_id: account, product_id: FLOATING, device_limit: 2 };
    await service.get('grants').saveEntitlement(grantPermit(), anEntitlement({ ...input, id: account }));
  }
};

/** A new caller that passes every guard of the endpoint, and a new target if the endpoint is for agents. */
export const callerOf = async (service: Service, endpoint: EndpointSpec, product: number = TOOL): Promise<Caller> => {
  const { access } = endpoint;
  if (access.credential === 'agent') return anAgentCaller(service, endpoint, goodRole(endpoint));
  if (access.credential === 'none' || access.credential === 'gallery') return { key: undefined, product };
  const account = await anAccount(service, { entitlements: [{ product_id: product }] });
  await seatReleased(service, endpoint, account, product);
  const scope = requires(endpoint, 'scoped') ? { product_id: product } : {};
  return { key: (await aKey(service, account, { abilities: ABILITIES, device: {}, ...scope })).value, product };
};
