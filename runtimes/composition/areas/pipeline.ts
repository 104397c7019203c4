import { JsonBodies } from '../../../adapters/host/bodies.ts';
import { Guard } from '../../../adapters/pipeline/guard.ts';
import { type Identifiers, Identify } from '../../../adapters/pipeline/identify.ts';
import { Handle, Invoker } from '../../../adapters/pipeline/invoke.ts';
import { answerOnce } from '../../../application/access/answer-once.ts';
import { endApiKey } from '../../../application/access/api-keys.ts';
import {
  type Authenticate,
  type AuthenticateAgent,
  authenticate,
  recordKeyUse,
} from '../../../application/access/authenticate.ts';
import { limitAddress, limitRate } from '../../../application/access/limit-rate.ts';
import { endSessions, releaseSlots } from '../../../application/devices/slots.ts';
import { readAccess } from '../../../application/licensing/access.ts';
import { claimKey } from '../../../application/licensing/claim-key.ts';
import { part } from '../area.ts';

export type Identifying = {
  readonly authenticate: Authenticate;
  /** Provided by the area of agents. Functions without it do not load the code that identifies agents. */
  readonly authenticateAgent?: AuthenticateAgent;
};

const identifiers = ({ authenticate, authenticateAgent }: Identifying): Identifiers => ({
  key: authenticate,
  ...(authenticateAgent && { agent: authenticateAgent }),
});

/** The parts of every service that answer endpoints: identification, guards, and the answer to a request. */
export const pipeline = {
  parts: {
    authenticate,
    claimKey,
    identifiers,
    identify: ({ identifiers }: { identifiers: Identifiers }) => new Identify(identifiers),
    limitRate,
    limitAddress,
    readAccess,
    guard: part(Guard),
    jsonBodies: () => new JsonBodies(),
    answerOnce,
    handle: part(Handle),
    recordKeyUse,
    endApiKey,
    releaseSlots,
    endSessions,
    invoker: part(Invoker),
  },
};
