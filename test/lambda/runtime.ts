import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Runs a built function as Lambda does: it fetches events from the Runtime API and posts the results to it. It replaces
 * Amazon's runtime interface client; see instance.ts to run that one instead.
 */

const { AWS_LAMBDA_RUNTIME_API: api = '', LAMBDA_TASK_ROOT: root = '', AWS_LAMBDA_FUNCTION_NAME: name } = process.env;
const [hostname, port] = api.split(':');
const agent = new Agent({ keepAlive: true });

const STREAMED = Symbol('streamed');
const PRELUDE_TYPE = 'application/vnd.awslambda.http-integration-response';
const ERROR_TRAILER = 'Lambda-Runtime-Function-Error-Type';

type Handler = ((event: unknown, ...rest: unknown[]) => Promise<unknown>) & { [STREAMED]?: true };

/** The stream of a function's response. Its prelude is sent with the first write, and never without one. */
type ResponseStream = ClientRequest & { setContentType: (type: string) => void; beforeFirstWrite?: () => void };

const HttpResponseStream = {
  from: (stream: ResponseStream, prelude: object): ResponseStream => {
    stream.setContentType(PRELUDE_TYPE);
    const write = stream.write.bind(stream);
    stream.beforeFirstWrite = () => {
      write(JSON.stringify(prelude));
      write(new Uint8Array(8));
    };
    return stream;
  },
};

const streamifyResponse = (handler: Handler): Handler => Object.assign(handler, { [STREAMED]: true as const });

Object.assign(globalThis, { awslambda: { streamifyResponse, HttpResponseStream } });

const call = (method: string, path: string, headers: Record<string, string> = {}): ClientRequest =>
  request({ hostname, port, agent, method, path: `/2018-06-01/runtime/${path}`, headers });

const answerTo = async (sent: ClientRequest): Promise<{ res: IncomingMessage; text: string }> => {
  const [res] = (await once(sent, 'response')) as [IncomingMessage];
  return { res, text: Buffer.concat(await Array.fromAsync(res)).toString() };
};

const post = (path: string, body: unknown) => answerTo(call('POST', path).end(JSON.stringify(body ?? null)));

const errorBody = (error: unknown) =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') }
    : { errorType: 'Error', errorMessage: String(error), trace: [] };

const responseStream = (id: string): ResponseStream => {
  const stream = call('POST', `invocation/${id}/response`, {
    'Lambda-Runtime-Function-Response-Mode': 'streaming',
    'Transfer-Encoding': 'chunked',
    'Content-Type': 'application/octet-stream',
    Trailer: ERROR_TRAILER,
  }) as ResponseStream;
  stream.setContentType = (type) => void stream.setHeader('Content-Type', type);
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    const first = stream.beforeFirstWrite;
    delete stream.beforeFirstWrite;
    first?.();
    return write(...args);
  };
  return stream;
};

const runStreamed = async (handler: Handler, event: unknown, context: { awsRequestId: string }): Promise<void> => {
  const stream = responseStream(context.awsRequestId);
  const accepted = answerTo(stream);
  try {
    await handler(event, stream, context);
    await accepted;
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    stream.addTrailers({ [ERROR_TRAILER]: errorBody(error).errorType });
    stream.end();
    await accepted;
  }
};

const runBuffered = async (handler: Handler, event: unknown, context: { awsRequestId: string }): Promise<void> => {
  const { awsRequestId: id } = context;
  await handler(event, context).then(
    (result) => post(`invocation/${id}/response`, result),
    (error: unknown) => post(`invocation/${id}/error`, errorBody(error)),
  );
};

const load = async (): Promise<Handler> => {
  try {
    return ((await import(pathToFileURL(`${root}/index.mjs`).href)) as { handler: Handler }).handler;
  } catch (error) {
    await post('init/error', errorBody(error));
    throw error;
  }
};

const handler = await load();
// An instance ends by a signal, before which Node would write nothing.
flushCompileCache();
for (;;) {
  const { res, text } = await answerTo(call('GET', 'invocation/next').end());
  const context = {
    awsRequestId: String(res.headers['lambda-runtime-aws-request-id']),
    functionName: name,
    invokedFunctionArn: res.headers['lambda-runtime-invoked-function-arn'],
    getRemainingTimeInMillis: () => Number(res.headers['lambda-runtime-deadline-ms']) - Date.now(),
  };
  await (handler[STREAMED] ? runStreamed : runBuffered)(handler, JSON.parse(text), context);
}
