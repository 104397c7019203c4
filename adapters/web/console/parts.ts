import { findMember, peekSetup, useSetup } from '../../../application/access/members.ts';
import { openContentAsset } from '../../../application/catalog/library.ts';
import type { Made } from '../../../application/shared/use-cases.ts';
import { endOtherSessions, endOwnSession, listSessions } from '../../../application/sign-in/sessions.ts';
import { askShop } from '../../host/ask-api.ts';
import { type GateParts, gateUseCases, type PagesSettings } from '../account/gate-parts.ts';

/** The gate, the setup and the member's own sign-in. All else a page asks of the endpoints of the shop. */
export const consoleUseCases = {
  ...gateUseCases,
  askShop,
  endOtherSessions,
  endOwnSession,
  findMember,
  listSessions,
  openContentAsset,
  peekSetup,
  useSetup,
};

export type ConsoleParts = GateParts & Made<typeof consoleUseCases>;

export type ConsoleSettings = PagesSettings & {
  readonly parts: ConsoleParts;
  /** `directly`: the host takes no large files, so a script uploads a release to the object store by a signed request. */
  readonly uploads?: 'directly' | undefined;
};
