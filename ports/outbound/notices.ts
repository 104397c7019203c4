import type { Permit } from '../../domain/access/permit.ts';
import type { Audience, NoticeBox } from '../../domain/notices/notice.ts';

/**
 * The mails to the people who run the shop. An event is told with the queueing for webhooks, in one transaction, so that
 * it is told once whatever dies. Tells nobody if the service sends no mail.
 */
export interface Notices {
  /** False if the service sends no mail. */
  readonly sendsMail: boolean;
  /** The shop's setting and the people whom it fits. */
  audience(): Promise<Audience>;
  /**
   * Tells problems that are new and those that are gone. `on`: the machine that looked; `isWhole`: it has seen
   * everything, so that a problem that it has not found is gone.
   */
  look(
    permit: Permit,
    found: NoticeBox['problems'],
    look: { readonly on: string | null; readonly isWhole: boolean },
  ): Promise<void>;
  /** Queues a mail to every address that gets notices, and returns the addresses. */
  test(permit: Permit): Promise<readonly string[]>;
}
