import type { Permit } from '../../domain/access/permit.ts';
import type { Audience, NoticeBox } from '../../domain/notices/notice.ts';

/**
 * The mails to the people who run the shop. An event is queued in one transaction with its webhooks, so that
 * it is sent once, whatever fails. Nothing is queued if the service sends no mail.
 */
export interface Notices {
  /** False if the service sends no mail. */
  readonly sendsMail: boolean;
  /** The shop's setting and the people whom it fits. */
  audience(): Promise<Audience>;
  /**
   * Reports new problems and resolved ones. `on`: the machine that looked; `isWhole`: it has seen
   * everything, so that a problem that it has not found is resolved.
   */
  look(
    permit: Permit,
    found: NoticeBox['problems'],
    look: { readonly on: string | null; readonly isWhole: boolean },
  ): Promise<void>;
  /** Queues a mail to every address that gets notices, and returns the addresses. */
  test(permit: Permit): Promise<readonly string[]>;
}
