import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Express } from 'express';
import serverlessHttp from 'serverless-http';
import { isBinary, joinedHeaders } from './host-function.ts';

/** An event in the form that serverless-http reads without loss: by itself it takes the last of several header lines. */
const readable = (event: APIGatewayProxyEvent) => ({
  ...event,
  headers: joinedHeaders(event),
  multiValueHeaders: undefined,
  queryStringParameters: undefined,
});

/** Serves an Express app of pages as a function that answers in one piece. */
export const expressApp = (app: Express) => {
  const answer = serverlessHttp(app, { binary: isBinary });
  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> =>
    (await answer(readable(event), context)) as APIGatewayProxyResult;
};
