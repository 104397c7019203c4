import { isReleased, isVersionCovered } from '../../domain/delivery/offered-release.ts';
import type { Release } from '../../domain/delivery/release.ts';
import type { Lease } from '../../domain/devices/lease.ts';
import { slotEnd } from '../../domain/licensing/access.ts';
import {
  type CheckedLicense,
  type Decision,
  type LicenseQuestion,
  leaseClaims,
  licenseView,
  recheckAfter,
  tokenClaims,
  tokenTtl,
} from '../../domain/licensing/license-check.ts';
import { type Trial, trialClaims } from '../../domain/licensing/trial.ts';
import type { ClientPolicy } from '../../domain/policy/client-policy.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type AnswerLicenseInput<D extends Decision> = Pick<
  CheckedLicense<D>,
  'decision' | 'product' | 'access' | 'seat' | 'locale' | 'now'
> & {
  /** 0 without an account. */
  readonly account_id: number;
  readonly question: Pick<LicenseQuestion, 'app_version' | 'nonce' | 'perpetual'>;
  readonly releases: readonly Release[];
  readonly policy: ClientPolicy;
  readonly offline?: boolean | undefined;
  /** The lease that the token is for, instead of a device's slot. */
  readonly lease?: Lease | undefined;
  /** The trial that the token is for, instead of an account's license. */
  readonly trial?: Trial | undefined;
};

/** Words and signs the answer to a license check. */
export const answerLicense = ({ versions, licenseSigner, links }: Needs<'licenseSigner' | 'links' | 'versions'>) =>
  async function answerLicense<D extends Decision>(input: AnswerLicenseInput<D>) {
    const { account_id, question, releases, policy, offline, lease, trial, ...seen } = input;
    const { product, access, seat, now } = seen;
    const order = versions.order(product.version_scheme);
    const version = question.app_version;
    const versionCovered = access.granted
      ? isVersionCovered(version, releases, access.updates_supported_until, order)
      : null;
    const versionReleased = isReleased(version, releases, order, now);
    const manageUrl = links.manageDevices(product.id);
    const view = licenseView({ ...seen, versionCovered, versionReleased, manageUrl });
    const reading = licenseSigner.fresh();
    if (reading) await reading;
    const ends = access.granted ? slotEnd(access, seat.used) : null;
    const answer = { ...view, nonce: question.nonce };
    const ttl = lease ? policy : tokenTtl(product, policy, question);
    const claims = tokenClaims(answer, account_id, ttl, links.issuer, offline, ends);
    const signed = claims && (lease ? leaseClaims(claims, lease, ends) : trial ? trialClaims(claims, trial) : claims);
    const token = signed && licenseSigner.sign('license+jws', signed);
    return { ...view, recheck_after: recheckAfter(view, policy), token };
  };

export type AnswerLicense = ReturnType<typeof answerLicense>;
