import type { Refused } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { faultMessage } from '../host/host.ts';
import { answeredWith, rateHeaders, refusalReply } from '../host/reply.ts';
import type { RawInput } from '../pipeline/input.ts';
import type { Answer, Invoker } from '../pipeline/invoke.ts';
import type { CallEnd, CallFacts, ToolContext } from './tool.ts';

export type CanInvoke = { readonly invoker: Pick<Invoker, 'invoke'> };

const limited = ({ outcome, rate }: Answer): CallEnd<never> => {
  if (outcome.ok) throw new Error('This answer is within its limits.');
  const reply = refusalReply(outcome as Refused<RefusalCode>, rate);
  return { reply: { ...reply, headers: { ...rateHeaders(rate), ...reply.headers } } };
};

/**
 * Asks an endpoint for a message that was counted already, and gives its outcome the form that `ended` finds. A caller
 * over a limit gets the 429 of the endpoint, and a fault is for the log.
 */
export const callEndpoint = async <E extends object>(
  { invoker }: CanInvoke,
  endpoint: EndpointSpec,
  raw: RawInput,
  { principal, address, counted, requestId }: ToolContext,
  ended: (outcome: Answer['outcome']) => E | Promise<E>,
): Promise<(E | CallEnd<never>) & CallFacts> => {
  try {
    const answer = await invoker.invoke(endpoint, raw, { principal, address, counted });
    const { outcome, rate } = answer;
    const answered = answeredWith(endpoint, principal, outcome);
    const end = answered.code === 'rate_limited' ? limited(answer) : await ended(outcome);
    return { ...end, rate, answered };
  } catch (fault) {
    return { fault: faultMessage(fault, requestId), faults: [fault] };
  }
};
