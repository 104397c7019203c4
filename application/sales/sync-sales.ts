import type { Permit } from '../../domain/access/permit.ts';
import type { Meaning } from '../../domain/sales/payment-event.ts';
import { type Instant, MINUTE_MS, millis, toInstant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { ProviderSilent } from '../../ports/outbound/sales.ts';
import { type Progress, type Stage, unseen } from '../shared/progress.ts';
import type { AskProviders } from './ask-providers.ts';
import type { RecordedSale, RecordSale } from './record-sale.ts';

export type Ports = Needs<'clock' | 'paymentEvents' | 'paymentProviders'> & {
  readonly recordSale: RecordSale;
  readonly askProviders: AskProviders;
};

export type SyncInput = {
  readonly provider: string;
  /** Only payments and refunds from this moment on; null means all. */
  readonly since: Instant | null;
  /** Decides, and writes nothing. */
  readonly trial: boolean;
  /** Mails the buyers. */
  readonly mails: boolean;
  readonly progress?: Progress;
};

type Result = RecordedSale['result'] | 'refused';

export type SyncedSales = Readonly<Record<Result, number>> & {
  /** The first objects that changed something, or were refused in whole or in part. */
  readonly objects: readonly { readonly reference: string; readonly result: Result; readonly reason: string | null }[];
};

/** The clock skew allowed between the provider and this machine in minutes, as for signatures. */
const CLOCKS_DIFFER = 5;

/** The maximum number of objects that the result names, and of ids that are kept in memory. */
const MOST_NAMED = 1000;
const MOST_MEANINGS = 100_000;

/**
 * Records the objects that a provider lists, as its events would. An object counts as of the start of the run, so an
 * event about a later change takes precedence. Known objects change nothing, so the run can be repeated after an
 * interruption, and while webhooks arrive. Waiting events are completed at the end.
 */
export const syncSales = ({ clock, paymentEvents, paymentProviders, recordSale, askProviders }: Ports) =>
  async function syncSales(
    permit: Permit,
    { provider: name, since, trial, mails, progress = unseen }: SyncInput,
  ): Promise<Outcome<SyncedSales, 'provider_not_configured' | 'provider_silent'>> {
    const provider = await paymentProviders(name);
    const source = provider?.source;
    if (!provider || !source) {
      return refuse('provider_not_configured', {
        message: `The sales of ${name} can’t be read without its API key; set it as docs/running.md says.`,
      });
    }
    const begin = toInstant(millis(clock.now()) - CLOCKS_DIFFER * MINUTE_MS);
    const counts = { recorded: 0, updated: 0, unchanged: 0, refused: 0 };
    const objects: SyncedSales['objects'][number][] = [];
    const note = (reference: string, result: Result, reason: string | null = null): void => {
      counts[result] += 1;
      if ((result !== 'unchanged' || reason !== null) && objects.length < MOST_NAMED)
        objects.push({ reference, result, reason });
    };
    const meanings = new Map<string, Meaning>();
    const read: Partial<Record<Stage, number>> = {};
    try {
      for await (const { stage, total = 0, reference, body } of source.objects(since)) {
        const used = new Map<string, Meaning>();
        const facts = await provider.tell((await source.complete?.(body)?.()) ?? body, async (id) => {
          const stored = meanings.get(id) ?? (await paymentEvents.name(name, id))?.meaning;
          const meaning = stored ?? (await source.meaning?.(id));
          if (meaning) used.set(id, meaning);
          return meaning;
        });
        if (!facts.ok)
          note(reference, 'refused', facts.message ?? `${name} does not tell whose ${facts.data?.['name']} is.`);
        const { events, names } = facts.ok ? facts.value : { events: [], names: {} };
        for (const [id, meaning] of [...used, ...Object.entries(names)]) {
          if (meanings.size < MOST_MEANINGS) meanings.set(id, meaning);
        }
        for (const event of events) {
          const happened_at = event.happened_at > begin ? event.happened_at : begin;
          const input = { trial, quiet: !mails };
          const recorded = await recordSale(permit, { ...event, happened_at, listed: true }, input);
          const { result, reason } = recorded.ok
            ? recorded.value
            : { result: 'refused' as const, reason: recorded.message };
          note(reference, result, reason);
          if (trial || !recorded.ok || result === 'unchanged') continue;
          const { account_id } = recorded.value;
          for (const [id, meaning] of [...used, ...Object.entries(names)]) {
            await paymentEvents.keepMeaning(permit, name, id, { meaning, account_id });
          }
        }
        const done = (read[stage] ?? 0) + 1;
        read[stage] = done;
        progress(stage, done, Math.max(total, done));
      }
      if (!trial) await askProviders(permit);
    } catch (error) {
      if (!(error instanceof ProviderSilent)) throw error;
      const sum = Object.values(counts).reduce((all, count) => all + count, 0);
      const message = `${error.message} ${sum} sales were read; run the same command to continue.`;
      return refuse('provider_silent', { message, data: { ...counts, objects } });
    }
    return ok({ ...counts, objects });
  };

export type SyncSales = ReturnType<typeof syncSales>;
