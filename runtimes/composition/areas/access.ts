import { JsonBodies } from '../../../adapters/host/json-bodies.ts';
import { Guard } from '../../../adapters/pipeline/guard.ts';
import { Handle } from '../../../adapters/pipeline/handle.ts';
import { type Identifiers, Identify } from '../../../adapters/pipeline/identify.ts';
import { Invoker } from '../../../adapters/pipeline/invoke.ts';
import { AnswerOnce } from '../../../application/access/answer-once.ts';
import { Authenticate } from '../../../application/access/authenticate.ts';
import type { AuthenticateAgent } from '../../../application/access/authenticate-agent.ts';
import { EndApiKey } from '../../../application/access/end-api-key.ts';
import { LimitAddress } from '../../../application/access/limit-address.ts';
import { LimitRate } from '../../../application/access/limit-rate.ts';
import { RecordKeyUse } from '../../../application/access/record-key-use.ts';
import { ReleaseSlots } from '../../../application/devices/release-slots.ts';
import { ReadAccess } from '../../../application/licensing/read-access.ts';
import { part } from '../area.ts';

export type Identifying = {
  readonly authenticate: Authenticate;
  /** The area of agents gives it. Other functions do without the code that identifies agents. */
  readonly authenticateAgent?: AuthenticateAgent;
};

const identifiers = ({ authenticate, authenticateAgent }: Identifying): Identifiers => ({
  key: authenticate,
  ...(authenticateAgent && { agent: authenticateAgent }),
});

/** The parts that answer endpoints: identification, gates, and the answer to a request. Every service has them. */
export const access = {
  parts: {
    authenticate: part(Authenticate),
    identifiers,
    identify: ({ identifiers }: { identifiers: Identifiers }) => new Identify(identifiers),
    limitRate: part(LimitRate),
    limitAddress: part(LimitAddress),
    readAccess: part(ReadAccess),
    guard: part(Guard),
    jsonBodies: () => new JsonBodies(),
    answerOnce: part(AnswerOnce),
    handle: part(Handle),
    recordKeyUse: part(RecordKeyUse),
    endApiKey: part(EndApiKey),
    releaseSlots: part(ReleaseSlots),
    invoker: part(Invoker),
  },
};
