import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { ProductScope } from '../../domain/access/principal.ts';
import type { Product } from '../../domain/catalog/product.ts';
import {
  isFirstOfDay,
  judgeLease,
  leaseStep,
  leaseView,
  liveLeases,
  refuseSession,
  sessionLimit,
  sessionView,
} from '../../domain/devices/lease.ts';
import { deviceOfLease, sentName } from '../../domain/devices/seat.ts';
import { type GrantedAccess, slotEnd } from '../../domain/licensing/access.ts';
import {
  accessInForce,
  decideLicense,
  judgeQuestion,
  type LicenseQuestion,
  productAsked,
  withdrawnDevices,
} from '../../domain/licensing/license-check.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { type OwnReleasePorts, ownRelease } from '../devices/release-device.ts';
import { type EndSessions, heldBy } from '../devices/slots.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { Clearance } from '../shared/steps.ts';
import type { ReadAccess } from './access.ts';
import type { AnswerLicense } from './license-answer.ts';
import { trialConversion } from './trials.ts';

/** The letters of a lease's id: 128 bits. */
const LEASE_ID = ['0123456789abcdef', 32] as const;

type LeasePorts = Needs<
  'catalogs' | 'clock' | 'leases' | 'links' | 'pauses' | 'productUses' | 'releases' | 'secrets' | 'trials'
> & { readAccess: ReadAccess; answerLicense: AnswerLicense };

type Holder = { account_id: number; scope: ProductScope };

export type ReturnLeaseInput = Holder & {
  body: Pick<LicenseQuestion, 'product_id' | 'bundle_id'> & { lease_id: string };
};
export type ReleaseLeaseInput = Holder & { body: { product_id: number; lease_id: string } };

export type LeaseLicenseInput = Holder & {
  key: Pick<ApiKey, 'suspended'> | null;
  body: LicenseQuestion & { device_id: string; lease_id: string | null; borrow_days: number | null };
  locale: Locale;
};

/**
 * Gives a session of a floating license a slot for some minutes, renews the slot that it holds, or borrows it for days,
 * and signs the answer. Of concurrent sessions, exactly as many get a slot as are free. Taking a slot, or the first
 * renewal of a day, counts as use of the product.
 */
export const leaseLicense = (ports: LeasePorts) => {
  const convert = trialConversion(ports);
  return async function leaseLicense({ account_id, scope, key, body, locale }: LeaseLicenseInput) {
    const { catalogs, clock, leases, links, pauses, productUses, secrets, readAccess, answerLicense } = ports;
    const catalog = await catalogs.current();
    const target = productAsked(catalog, scope, body);
    if (!target.ok) return target;
    const product = target.value;
    const product_id = product.id;
    const [holds, found, released, converts] = await Promise.all([
      readAccess(account_id, product, catalog),
      leases.of(account_id, product_id),
      ports.releases.of([product_id]),
      convert(product, body.lease_id === null ? body.device_id : null),
    ]);
    const access = accessInForce(holds, key?.suspended === true);
    const judged = judgeQuestion(product, access, body);
    if (!judged.ok) return judged;
    const offered = judgeLease(product, body.borrow_days);
    if (!offered.ok) return offered;
    const { device_id, lease_id, borrow_days, nonce = null, device_name: name = null } = body;
    const app_version = body.app_version === null ? null : sentName(body.app_version);
    const { policy } = catalog;
    const withdrawn = withdrawnDevices(product_id, policy.revoked);
    const now = clock.now();
    const decision = decideLicense(access, withdrawn.includes(device_id), locale);
    const releases = released.get(product_id) ?? [];
    const seen = { account_id, question: body, decision, product, access, releases, policy, locale, now };
    const limit = sessionLimit(access.granted ? access.device_limit : product.device_limit);

    /** Takes or renews a slot. */
    const lease = (permit: Permit, granted: GrantedAccess) =>
      rereading(
        pauses,
        found,
        () => leases.of(account_id, product_id),
        async (read) => {
          const live = liveLeases(read, withdrawn, now);
          const fresh = secrets.letters(...LEASE_ID);
          const end = (used: number) => slotEnd(granted, used);
          const asked = { product, lease_id, fresh, device_id, name, app_version, borrow_days, nonce, slotEnd: end };
          const step = leaseStep(read, live, limit, asked, now);
          if (!step) return refuseSession(live, limit, links.manageDevices(product_id), now);
          const isRenewal = step.before?.lease_id === step.lease.lease_id;
          const [written, known] = await Promise.all([
            leases.save(permit, account_id, step.lease, step.before),
            isFirstOfDay(step.lease, step.before) ? productUses.of(account_id) : undefined,
          ]);
          if (!written) return CONFLICT;
          await Promise.all([
            known && productUses.note(permit, account_id, known, [{ product_id, used_at: now }]),
            converts(permit, now),
          ]);
          return ok({ lease: step.lease, used: live.length + (isRenewal ? 0 : 1) });
        },
      );

    return async ({ permit }: Pick<Clearance, 'permit'>) => {
      const taken = decision.valid && access.granted ? await lease(permit, access) : ok(null);
      if (!taken.ok) return taken;
      const held = taken.value?.lease;
      const used = taken.value?.used ?? liveLeases(found, withdrawn, now).length;
      const seat = { device: held && deviceOfLease(held), used };
      const answer = await answerLicense({ ...seen, seat, lease: held });
      return ok({ ...answer, lease: held ? leaseView(held, now) : null, sessions: { used, limit } });
    };
  };
};

/** Frees the slot of a session when its application exits. A session without a slot gets the same answer. */
export const returnLease = ({ catalogs, endSessions }: Needs<'catalogs'> & { endSessions: EndSessions }) =>
  async function returnLease({ account_id, scope, body }: ReturnLeaseInput) {
    const target = productAsked(await catalogs.current(), scope, body);
    if (!target.ok) return target;
    const of = { account_id, product_id: target.value.id };
    return async ({ permit }: Pick<Clearance, 'permit'>) =>
      ok({
        returned: (await endSessions(permit, of, { lease_id: body.lease_id }, { untold: true })) === 'released',
      });
  };

/** The sessions of an account that hold a slot of a product, for their owner. */
export const listLeases = ({ clock, leases, links }: Needs<'clock' | 'leases' | 'links'>) =>
  async function listLeases({ account_id, product }: { account_id: number; product: Product }) {
    const found = await leases.of(account_id, product.id);
    return async ({ access }: Clearance<GrantedAccess>) => {
      const now = clock.now();
      const live = liveLeases(found, [], now);
      return ok({
        sessions: { used: live.length, limit: sessionLimit(access.device_limit) },
        leases: live.map((lease) => ({ lease_id: lease.lease_id, ...sessionView(lease, now) })),
        manage_url: links.manageDevices(product.id),
      });
    };
  };

/** Ends a session of the account by a key that may manage devices. */
export const releaseLease = (ports: OwnReleasePorts & { endSessions: EndSessions }) =>
  async function releaseLease({ account_id, scope, body }: ReleaseLeaseInput) {
    const { product_id, lease_id } = body;
    return ownRelease(ports)({ account_id, scope, product_id }, async (permit) => {
      const release = await ports.endSessions(permit, { account_id, product_id }, { lease_id });
      const answer = {
        ...body,
        released: release === 'released',
        borrowed_until: heldBy(release)?.offline_until ?? null,
      };
      return [release, answer];
    });
  };
