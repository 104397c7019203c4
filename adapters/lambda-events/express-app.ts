import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Express } from 'express';
import serverlessHttp from 'serverless-http';
import { type Gate, OPEN_GATE } from './gate.ts';
import { type GatewayEvent, joinedHeaders, pathOf } from './request.ts';
import { isBinary, resultOf } from './result.ts';

/** An event in the form that serverless-http reads without loss: by itself it takes the last of several header lines. */
const readable = (event: GatewayEvent) => ({
  ...event,
  path: pathOf(event),
  headers: joinedHeaders(event),
  multiValueHeaders: undefined,
  queryStringParameters: undefined,
});

/** Serves an Express app of pages as a function that answers in one piece. */
export const expressApp = (app: Express, gate: Gate = OPEN_GATE) => {
  const answer = serverlessHttp(app, { binary: isBinary });
  return async (event: GatewayEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const passed = gate(event);
    if ('refused' in passed) return resultOf(await passed.refused);
    return (await answer(readable(passed.event), context)) as APIGatewayProxyResult;
  };
};
