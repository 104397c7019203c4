import type { Permit } from '../../domain/access/permit.ts';
import { type Owner, ownerName } from '../../domain/access/rate-limit.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { isDeviceRevoked, type LicenseQuestion, productAskedOpenly } from '../../domain/licensing/license-check.ts';
import {
  convertedTrial,
  decideTrial,
  movedTrial,
  newTrial,
  TRIALS_OF_ADDRESS,
  TRIALS_OF_PRODUCT,
  type Trial,
  trialAccess,
  trialMonths,
  trialSeat,
} from '../../domain/licensing/trial.ts';
import { dailyBoundReached } from '../../domain/shared/daily-bound.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { FindProduct } from '../catalog/shop-products.ts';
import { CONFLICT, rereading, untilWritten } from '../shared/contended.ts';
import type { Clearance } from '../shared/steps.ts';
import type { AnswerLicense } from './license-answer.ts';

type Ports = Needs<'catalogs' | 'clock' | 'dailyBounds' | 'pauses' | 'trials'> & { answerLicense: AnswerLicense };

export type StartTrialInput = {
  /** The caller's address, whose new trials of a day are limited. */
  owner: Owner;
  body: LicenseQuestion & { readonly device_id: string };
  locale: Locale;
};

/**
 * Starts the trial of a product on a device, and signs the answer. A device that has or had a trial gets the answer for
 * that one, with the same end. A device that the client policy revokes starts none.
 */
export const startTrial = ({ catalogs, clock, dailyBounds, pauses, trials, answerLicense }: Ports) =>
  async function startTrial({ owner, body: question, locale }: StartTrialInput) {
    const { device_id } = question;
    const { policy, ...catalog } = await catalogs.current();
    const target = productAskedOpenly(catalog, question);
    if (!target.ok) return target;
    const product = target.value;
    const { id: product_id, trial_days } = product;
    const now = clock.now();
    const revoked = isDeviceRevoked(product_id, device_id, undefined, policy.revoked);
    const find = () => trials.find(product_id, device_id, now);
    const bounds = [
      { bound: TRIALS_OF_ADDRESS, name: ownerName(owner) },
      { bound: TRIALS_OF_PRODUCT, name: String(product_id) },
    ];
    const [first, ...reached] = await Promise.all([
      find(),
      ...bounds.map(({ bound, name }) => dailyBounds.isReached(bound, name, now)),
    ]);
    const full = bounds.find((_, n) => reached[n]);
    if (!first.trial && trial_days === undefined) return refuse('trial_not_offered');
    if (!first.trial && full && !revoked) return dailyBoundReached(full.bound, now);

    return async ({ permit }: Clearance) => {
      const trial = await rereading(pauses, first, find, async (read): Promise<Trial | typeof CONFLICT> => {
        if (read.trial) return read.trial;
        const begun = newTrial(product_id, trial_days ?? 0, now);
        if (revoked) return begun;
        if (!(await trials.start(permit, device_id, begun, read))) return CONFLICT;
        await Promise.all(bounds.map(({ bound, name }) => dailyBounds.count(permit, bound, name, 1, now)));
        return begun;
      });
      const access = trialAccess(trial, product);
      const answered = {
        ...{ account_id: 0, question, product, access, releases: [], policy, locale, now, trial },
        decision: decideTrial(trial, access, revoked, locale, now),
        seat: trialSeat(device_id, trial, now),
      };
      return ok(await answerLicense(answered));
    };
  };

/**
 * Reads the device's trial, if it has one, before a license check. Returns the function that then records the
 * conversion to a license.
 */
export const trialConversion = ({ clock, trials }: Needs<'clock' | 'trials'>) =>
  async function trialConversion({ id, trial_days }: Pick<Product, 'id' | 'trial_days'>, device_id: string | null) {
    if (trial_days === undefined || device_id === null) return async (): Promise<void> => {};
    const read = await trials.find(id, device_id, clock.now(), { consistent: false });
    return async (permit: Permit, now: Instant): Promise<void> => {
      const converted = convertedTrial(read.trial, now);
      if (converted) await trials.convert(permit, device_id, converted, read);
    };
  };

/** The trials of a product in the last twelve months, newest first, and that of a device, if one is named; else null. */
export const showTrials = ({ findProduct, trials, clock }: Needs<'clock' | 'trials'> & { findProduct: FindProduct }) =>
  async function showTrials(named: string, device_id: string | null) {
    const product = await findProduct(named);
    if (!product.ok) return product;
    const { id: product_id, trial_days = null } = product.value;
    const now = clock.now();
    const [months, found] = await Promise.all([
      trials.months(product_id, trialMonths(now)),
      device_id === null ? null : trials.find(product_id, device_id, now),
    ]);
    return ok({ product_id, trial_days, months, trial: found?.trial ?? null });
  };

/** Lets the trial of a device run for so many days from now; 0 ends it. */
export const changeTrial = ({
  findProduct,
  trials,
  clock,
  pauses,
}: Needs<'clock' | 'pauses' | 'trials'> & { findProduct: FindProduct }) =>
  async function changeTrial(
    permit: Permit,
    { device_id, days, ...named }: { readonly product: string; readonly device_id: string; readonly days: number },
  ) {
    const product = await findProduct(named.product);
    if (!product.ok) return product;
    const { id: product_id, slug } = product.value;
    return untilWritten(pauses, async () => {
      const now = clock.now();
      const read = await trials.find(product_id, device_id, now);
      if (!read.trial) {
        return refuse('trial_not_found', {
          message: `Device ${device_id} has no trial of ${slug}; one starts when the application asks for it.`,
        });
      }
      const trial = movedTrial(read.trial, days, now);
      return (await trials.revise(permit, device_id, trial, read)) ? ok({ trial }) : CONFLICT;
    });
  };
