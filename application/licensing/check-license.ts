import type { ApiKey } from '../../domain/access/api-key.ts';
import type { AccountPrincipal, ProductScope } from '../../domain/access/principal.ts';
import { newValue } from '../../domain/devices/continuation.ts';
import { liveLeases, NEEDS_SESSION } from '../../domain/devices/lease.ts';
import { liveHolds, newDevice, sentName, slotsTaken } from '../../domain/devices/seat.ts';
import { slotEnd } from '../../domain/licensing/access.ts';
import {
  accessInForce,
  decideLicense,
  deviceAsked,
  isDeviceRevoked,
  isSharedDeviceRefused,
  judgeQuestion,
  type LicenseQuestion,
  offlineEnd,
  productAsked,
  withdrawnDevices,
} from '../../domain/licensing/license-check.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReleaseSlots, SeatDevice } from '../devices/slots.ts';
import type { Clearance } from '../shared/steps.ts';
import type { ReadAccess } from './access.ts';
import type { AnswerLicense } from './license-answer.ts';
import { trialConversion } from './trials.ts';

type Ports = Needs<'catalogs' | 'clock' | 'devices' | 'ids' | 'leases' | 'releases' | 'trials'> & {
  answerLicense: AnswerLicense;
  readAccess: ReadAccess;
  seatDevice: SeatDevice;
  releaseSlots: ReleaseSlots;
};

export type CheckLicenseInput = {
  account_id: number;
  scope: ProductScope;
  /**
   * The caller's key; null without one. Its device is used if the request names none, and every license of a suspended
   * account is answered as revoked.
   */
  key: Pick<ApiKey, 'device' | 'suspended'> | null;
  /** The caller's places in teams; if absent, they are read first. */
  caller?: Pick<AccountPrincipal, 'memberships'> | undefined;
  body: LicenseQuestion;
  /** True for a device that is never online, on whose behalf its owner asks on another one. */
  offline?: boolean;
  locale: Locale;
};

/**
 * Decides whether an account may run a product on a device, gives a new device a slot, and signs the answer. It applies
 * the rules of `domain/licensing/license-check.ts` in their order.
 */
export const checkLicense = (ports: Ports) => {
  const { catalogs, devices, leases, releases: stored, clock, ids } = ports;
  const { answerLicense, readAccess, seatDevice, releaseSlots } = ports;
  const convert = trialConversion(ports);
  return async function checkLicense({
    account_id,
    scope,
    key,
    caller,
    body: question,
    offline,
    locale,
  }: CheckLicenseInput) {
    const device = key?.device ?? null;
    const catalog = await catalogs.current();
    const target = productAsked(catalog, scope, question);
    if (!target.ok) return target;
    const product = target.value;
    const product_id = product.id;
    // A session takes its slot with a lease, so its check is only for the account.
    const hasSessions = product.slots === 'sessions';
    const device_id = hasSessions ? null : deviceAsked(question, device);
    const [held, found, released, sessions, converts] = await Promise.all([
      readAccess(account_id, product, catalog, caller?.memberships),
      // A slot is taken only if the slots are unchanged since the read, and refused only after a second read. An
      // offline file depends on their number until it expires, so it needs a consistent read.
      devices.find(account_id, product_id, device_id, { consistent: offline === true }),
      stored.of([product_id]),
      hasSessions ? leases.of(account_id, product_id) : [],
      // Only a new device may come from a trial. One that sends a value from its last answer is known.
      convert(product, question.continuation || offline ? null : device_id),
    ]);
    const access = accessInForce(held, key?.suspended === true);
    const judged = judgeQuestion(product, access, question);
    if (!judged.ok) return judged;
    const now = clock.now();
    const revoked = isDeviceRevoked(product_id, device_id, found.device, catalog.policy.revoked);
    const decided = decideLicense(access, revoked, locale, isSharedDeviceRefused(product, found.device));
    const needsSession = decided.valid && hasSessions;
    const decision = needsSession ? { ...decided, message: NEEDS_SESSION[locale] } : decided;
    const withdrawn = withdrawnDevices(product_id, catalog.policy.revoked);
    return async ({ permit }: Pick<Clearance, 'permit'>) => {
      const version = question.app_version;
      const used = hasSessions ? liveLeases(sessions, withdrawn, now).length : slotsTaken(found.slots, now);
      let seat = { device: found.device, used };
      const seated = found.device ?? liveHolds(found.slots.held, now).find((hold) => hold.device_id === device_id);
      if (device_id !== null && seated && withdrawn.includes(device_id)) {
        const released = await releaseSlots.ofProduct(permit, account_id, product_id, device_id, true);
        seat = { device: found.device, used: Math.max(0, used - Number(released === 'released')) };
      }
      if (decision.valid && access.granted && device_id !== null) {
        const until = offline ? offlineEnd(slotEnd(access, used + (seated ? 0 : 1)), now) : undefined;
        const { nonce = null, continuation: presented = null, device_name: name, platform } = question;
        // An older client sends neither, and gets no value. The value must only be new: anybody who could guess the
        // next one could also send none.
        const fresh = nonce === null && presented === null ? null : newValue(account_id, product_id, ids.next());
        const app_version = version === null ? null : sentName(version);
        const newcomer = newDevice(device_id, device, now, until, { name, platform, fresh, app_version });
        const { device_limit: limit } = access;
        const input = { account_id, product_id, limit, newcomer, presented, found, withdrawn };
        const [taken] = await Promise.all([seatDevice(permit, input), converts(permit, now)]);
        if (!taken.ok) return taken;
        seat = taken.value;
      }
      const releases = released.get(product_id) ?? [];
      const { policy } = catalog;
      const seen = { account_id, question, decision, product, access, seat, releases, policy, offline, locale, now };
      return ok(await answerLicense(seen));
    };
  };
};
