import { expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { AgentTokens, ApiKeys, Members } from '../../ports/outbound/access.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { AuditLog } from '../../ports/outbound/audit-log.ts';
import type { BillingRecords } from '../../ports/outbound/billing.ts';
import type { CatalogEditor, Policies, SetupProgresses } from '../../ports/outbound/catalog.ts';
import type { ReleaseEditor } from '../../ports/outbound/delivery.ts';
import type { Documents } from '../../ports/outbound/design/documents.ts';
import type { Devices, Installs, ProductUses, Usage } from '../../ports/outbound/devices.ts';
import type { Grants } from '../../ports/outbound/licensing.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { DailyBounds, Replays } from '../../ports/outbound/requests.ts';
import type { DeviceSignIns, SignInLinks } from '../../ports/outbound/sign-in.ts';
import type { ErrorReports, Tickets } from '../../ports/outbound/support.ts';
import { memoryService } from '../support/service.ts';

/** The first parameter of a method that takes a permit; never for any other method. */
type Taken<Method> = Method extends (...args: infer Args) => unknown
  ? Args extends [infer First, ...unknown[]]
    ? Permit extends First
      ? First
      : never
    : never
  : never;

type WriteOf<Port> = { [M in keyof Port]: [Taken<Port[M]>] extends [never] ? never : M }[keyof Port];

/** For each port method that takes a permit, whether it refuses a promise of one; a missing method does not compile. */
type RefusesPromise<Port> = { readonly [M in WriteOf<Port>]: Promise<Permit> extends Taken<Port[M]> ? false : true };

type WritingPorts = {
  accounts: Accounts;
  auditLog: AuditLog;
  billingRecords: BillingRecords;
  catalogEditor: CatalogEditor;
  grants: Grants;
  policies: Policies;
  releaseEditor: ReleaseEditor;
  agentTokens: AgentTokens;
  members: Members;
  apiKeys: ApiKeys;
  dailyBounds: DailyBounds;
  devices: Devices;
  deviceSignIns: Pick<DeviceSignIns, 'decide'>;
  documents: Documents;
  errorReports: ErrorReports;
  installs: Installs;
  objects: ObjectStore;
  productUses: ProductUses;
  replays: Replays;
  setupProgresses: SetupProgresses;
  signInLinks: Pick<SignInLinks, 'save' | 'mail'>;
  tickets: Tickets;
  usage: Usage;
};

/** The compiler checks each entry against the port, so a use case can't write before it has awaited its permit. */
const PORTS: { readonly [P in keyof WritingPorts]: RefusesPromise<WritingPorts[P]> } = {
  accounts: { save: true, revise: true },
  auditLog: { add: true },
  billingRecords: { saveOrder: true, saveInvoice: true, savePaymentMethod: true },
  catalogEditor: { save: true, revise: true },
  grants: { saveEntitlement: true, reviseEntitlement: true, saveSubscription: true },
  policies: { save: true },
  releaseEditor: { save: true },
  agentTokens: { add: true, revoke: true },
  members: { change: true, claimSetup: true, offerSetup: true },
  apiKeys: { change: true, claim: true, follow: true },
  dailyBounds: { count: true },
  devices: { activate: true, hold: true, release: true, rename: true, touch: true },
  deviceSignIns: { decide: true },
  documents: { addVersion: true, submit: true, review: true },
  errorReports: { saveGroup: true, count: true, uncount: true, countNewGroup: true, keep: true },
  installs: { record: true },
  objects: { put: true, remove: true, signUpload: true },
  productUses: { note: true },
  replays: { begin: true, finish: true, forget: true },
  setupProgresses: { save: true },
  signInLinks: { save: true, mail: true },
  tickets: { open: true, join: true, countFileBytes: true, keepJoined: true, mark: true, answer: true },
  usage: { save: true },
};

test.each(
  Object.entries(PORTS).flatMap(([port, writes]) =>
    Object.entries(writes).map(([method, refuses]) => ({ port, method, refuses })),
  ),
)('the method $method of the port $port accepts a permit and no promise of one', ({ refuses }) => {
  expect(refuses).toBe(true);
});

test('a write with an unresolved permit does not compile, although nothing else would stop it', async () => {
  const replays: Replays = memoryService().get('replays');
  const key = { owner: { kind: 'account', id: 1 }, endpoint: 'record', key: 'one' } as const;
  const promised: Promise<Permit> = Promise.resolve(grantPermit());
  // @ts-expect-error: a promise of a permit is no permit.
  await expect(replays.forget(promised, key)).resolves.toBeUndefined();
  await expect(replays.forget(await promised, key)).resolves.toBeUndefined();
});
