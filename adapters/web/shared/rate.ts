import type { ServerResponse } from 'node:http';
import type { RateVerdict } from '../../../domain/access/rate-limit.ts';
import { limitedHeaders, rateHeaders } from '../../host/reply.ts';

/** Sets the headers of a verdict on a response that is sent later. */
export const showRate = (res: ServerResponse, rate: RateVerdict): void => {
  const headers = rate.allowed ? rateHeaders(rate) : limitedHeaders(rate);
  res.setHeaders(new Map(Object.entries(headers)));
};
