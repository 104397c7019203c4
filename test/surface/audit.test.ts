import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { CHANGES_BY_KEYS } from '../../domain/audit/bounds.ts';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { EVERY_ENTRY } from '../support/audited.ts';
import { aKey, anAccount } from './buyers.ts';
import { callerOf } from './callers.ts';
import { get } from './client.ts';
import { IN_MEMORY, openExpressMount } from './express-mount.ts';
import { callTool } from './mcp-message.ts';
import type { Mount } from './mount.ts';
import { callEndpoint, WRITING } from './requests.ts';
import { OTHER, openShop, TOOL } from './shop.ts';

/** The actions of the entries that a valid request of an endpoint creates. The others create none. */
const LEAVES: Readonly<Record<string, readonly string[]>> = {
  logoutDevice: ['key.revoked'],
  releaseLicenseDevice: ['device.released'],
  releaseLease: ['device.released'],
  revokeLicenseDevice: ['key.revoked'],
  inviteToTeam: ['seat.created'],
  removeFromTeam: ['seat.removed'],
  bulkActivate: ['key.created'],
  submitCollectRun: ['run.submitted'],
  createDocumentVersion: ['document.drafted'],
  submitDocumentVersion: ['document.submitted'],
  createReview: ['document.approved'],
  recordSale: ['entitlement.created', 'order.created', 'account.created'],
  settleOrder: ['entitlement.created', 'order.changed'],
  refundOrder: ['order.refunded'],
  addAccount: ['account.created'],
  suspendAccount: ['account.changed'],
  lockOut: ['account.changed'],
  mergeAccounts: ['account.merged', 'account.merged'],
  withdrawDevice: ['device.withdrawn', 'policy.changed'],
  restoreDevice: ['device.restored', 'policy.changed'],
  createKeyBatch: ['key_batch.created'],
  revokeKeyBatch: ['key_batch.revoked'],
  redeemLicenseKey: ['entitlement.created', 'key.created'],
  changeTrial: ['trial.changed'],
  createLicenseKey: ['key.created'],
  revokeLeakedKey: ['key.revoked'],
  renameAccount: ['account.changed'],
  limitAccount: ['account.changed'],
  createSignInLink: ['account.link_created'],
  eraseAccount: ['account.erased'],
  grantEntitlement: ['entitlement.created'],
  extendGrant: ['entitlement.extended'],
  revokeGrant: ['entitlement.revoked'],
  transferGrant: ['entitlement.transferred', 'account.created'],
  inviteToAccountTeam: ['seat.created'],
  removeFromAccountTeam: ['seat.removed'],
  releaseAccountDevice: ['device.released'],
  createApiKey: ['key.created'],
  revokeApiKey: ['key.revoked'],
  addProduct: ['product.created'],
  changeProduct: ['product.changed'],
  changeStorefront: ['storefront.changed'],
  importLicenseKeys: ['key.created', 'entitlement.created', 'account.created'],
  setDisclosure: ['disclosure.changed'],
  setPolicy: ['policy.changed'],
  createPolicyKey: ['signing_key.created'],
  publishRelease: ['release.created'],
  changeRelease: ['release.scheduled'],
  answerTicket: ['ticket.answered'],
  closeTicket: ['ticket.closed'],
  reopenTicket: ['ticket.reopened'],
  addMember: ['account.link_mailed', 'member.created', 'account.created'],
  changeMember: ['member.changed'],
  removeMember: ['member.removed'],
  createMemberLink: ['account.link_created'],
  createAgentToken: ['agent_token.created'],
  revokeAgentToken: ['agent_token.revoked'],
  createWebhook: ['webhook.created'],
  changeWebhook: ['webhook.changed'],
  deleteWebhook: ['webhook.deleted'],
  rotateWebhookSecret: ['webhook.changed'],
};

const HERE = /^(127\.0\.0\.1|0:0:0:0::\/64)$/;

describe('the audit log of requests', () => {
  let mount: Mount;

  beforeAll(async () => {
    mount = await openExpressMount(IN_MEMORY);
    await openShop(mount.service);
  });
  afterAll(() => mount.close());

  const log = () => Array.fromAsync(mount.service.get('auditLog').list(EVERY_ENTRY));
  const left = async (request: () => Promise<unknown>): Promise<AuditEntry[]> => {
    const before = new Set((await log()).map(({ id }) => id));
    await request();
    return (await log()).filter(({ id }) => !before.has(id));
  };

  test.each(
    WRITING,
  )('the endpoint $method $path leaves the expected audit entries, by its caller', async (endpoint: EndpointSpec) => {
    const caller = await callerOf(mount.service, endpoint);
    const entries = await left(async () => {
      expect((await callEndpoint(mount, endpoint, caller)).status).toBeLessThan(300);
    });
    expect(entries.map(({ action }) => action)).toEqual(LEAVES[endpoint.id] ?? []);
    const kind = endpoint.access.credential === 'agent' ? 'agent' : 'key';
    for (const { by } of entries) {
      expect(by).toMatchObject({ kind, through: endpoint.id, from: expect.stringMatching(HERE) });
      expect(by.id).toMatch(/^\d+$/);
    }
  });

  test('a sign-out that frees slots logs each device and each key', async () => {
    const account = await anAccount(mount.service, { entitlements: [{ product_id: TOOL }, { product_id: OTHER }] });
    const device = { device: { device_id: 'laptop' } };
    const { value, key } = await aKey(mount.service, account, { abilities: ABILITIES, ...device });
    const [check, activate, logout] = ['checkLicense', 'bulkActivate', 'logoutDevice'].map((id) =>
      WRITING.find((one) => one.id === id),
    ) as [EndpointSpec, EndpointSpec, EndpointSpec];
    await callEndpoint(mount, check, { key: value, json: { product_id: TOOL, device_id: 'laptop' } });
    await callEndpoint(mount, activate, { key: value });
    const entries = await left(() => callEndpoint(mount, logout, { key: value }));
    const told = entries.map(({ action, product_id }) => `${action} ${product_id}`);
    expect(told.toSorted()).toEqual(
      [`device.released ${TOOL}`, 'key.revoked null', `key.revoked ${OTHER}`, `key.revoked ${TOOL}`].toSorted(),
    );
    for (const { by, account_id } of entries)
      expect([by.id, by.account_id, account_id]).toEqual([String(key.id), account, account]);
  });

  test('a tool of the MCP endpoint is logged as its endpoint, with the key', async () => {
    const account = await anAccount(mount.service, { entitlements: [{ product_id: TOOL }] });
    const { value, key } = await aKey(mount.service, account, { abilities: ABILITIES, device: {} });
    const entries = await left(() => callTool(mount, value, 'bulk_activate', {}));
    expect(entries).toMatchObject([
      { action: 'key.created', by: { kind: 'key', id: String(key.id), account_id: account, through: 'bulkActivate' } },
    ]);
  });

  test('a request that a guard refuses and one above the daily limit leave no audit entry', async () => {
    const activate = WRITING.find(({ id }) => id === 'bulkActivate') as EndpointSpec;
    const account = await anAccount(mount.service, { entitlements: [{ product_id: TOOL }] });
    const poor = await aKey(mount.service, account, { abilities: ['products.read'], device: {} });
    const able = await aKey(mount.service, account, { abilities: ABILITIES, device: {} });
    expect(
      await left(async () => expect((await callEndpoint(mount, activate, { key: poor.value })).status).toBe(403)),
    ).toEqual([]);
    const now = mount.service.get('clock').now();
    await mount.service
      .get('dailyBounds')
      .count(grantPermit(), CHANGES_BY_KEYS, String(account), CHANGES_BY_KEYS.most, now);
    expect(
      await left(async () => expect((await callEndpoint(mount, activate, { key: able.value })).status).toBe(429)),
    ).toEqual([]);
  });

  test('a license check and a read leave no audit entry', async () => {
    const account = await anAccount(mount.service, { entitlements: [{ product_id: TOOL }] });
    const { value } = await aKey(mount.service, account, { abilities: ABILITIES, device: {} });
    expect(await left(() => get(mount, '/api/library', value))).toEqual([]);
  });
});
