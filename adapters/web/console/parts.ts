import type { FindMember, PeekSetup, UseSetup } from '../../../application/access/members.ts';
import type { Invoker } from '../../pipeline/invoke.ts';
import type { AccountPagesParts, GateParts, PagesSettings } from '../account/parts.ts';

/** The parts that the console calls: the gate, the member's own sign-in, and the endpoints of the shop. */
export type ConsoleParts = GateParts &
  Pick<AccountPagesParts, 'endOtherSessions' | 'endOwnSession' | 'listSessions'> & {
    readonly findMember: FindMember;
    readonly peekSetup: PeekSetup;
    readonly useSetup: UseSetup;
    readonly invoker: Pick<Invoker, 'invoke'>;
  };

export type ConsoleSettings = PagesSettings & { readonly parts: ConsoleParts };
