import { type ResponseType, type RestApi, ResponseType as Types } from 'aws-cdk-lib/aws-apigateway';
import { REQUEST_OVER_LIMIT } from '../../adapters/lambda-events/limits.ts';

type Answer = {
  readonly type: ResponseType;
  readonly status?: string;
  /** The gateway's own message is the default. */
  readonly message?: string;
  readonly retryAfter?: number;
};

const UNAVAILABLE = 'The service is not available right now; try again in a moment.';

/** The answers that the gateway gives itself, because it asked no function or no function answered. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  TooLarge: { type: Types.REQUEST_TOO_LARGE, status: '413', message: REQUEST_OVER_LIMIT },
  Throttled: { type: Types.THROTTLED, status: '429', message: 'Too many requests; wait a moment.', retryAfter: 1 },
  Failed: { type: Types.INTEGRATION_FAILURE, status: '503', message: UNAVAILABLE, retryAfter: 5 },
  TimedOut: { type: Types.INTEGRATION_TIMEOUT, status: '503', message: UNAVAILABLE, retryAfter: 5 },
  Other4xx: { type: Types.DEFAULT_4XX },
  Other5xx: { type: Types.DEFAULT_5XX, status: '503', message: UNAVAILABLE, retryAfter: 5 },
};

/** Makes the gateway's own answers look like those of the application. */
export const addGatewayAnswers = (api: RestApi): void => {
  for (const [id, { type, status, message, retryAfter }] of Object.entries(ANSWERS)) {
    api.addGatewayResponse(id, {
      type,
      ...(status === undefined ? {} : { statusCode: status }),
      responseHeaders: {
        'Cache-Control': "'private, no-store'",
        'X-Content-Type-Options': "'nosniff'",
        'X-Request-Id': 'method.request.header.x-amzn-RequestId',
        ...(retryAfter === undefined ? {} : { 'Retry-After': `'${retryAfter}'` }),
      },
      templates: {
        'application/json':
          message === undefined ? '{"message": $context.error.messageString}' : JSON.stringify({ message }),
      },
    });
  }
};
