import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { SqsJobBell } from '../../adapters/sqs/sqs-job-bell.ts';

type Sent = { readonly target: string; readonly message: Readonly<Record<string, string>> };

const QUEUE = 'https://sqs.eu-west-1.amazonaws.com/000000000000/jobs.fifo';

const jsonOf = async (req: IncomingMessage) => JSON.parse(Buffer.concat(await Array.fromAsync(req)).toString());

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** A server that speaks SQS's JSON protocol (SendMessage), and answers with these statuses in turn, then with 200. */
const openQueue = async (...statuses: readonly number[]) => {
  const sent: Sent[] = [];
  const left = [...statuses];
  server = createServer(async (req, res) => {
    const message = await jsonOf(req);
    sent.push({ target: String(req.headers['x-amz-target']), message });
    const status = left.shift() ?? 200;
    res.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' });
    res.end(
      JSON.stringify(
        status === 200
          ? { MessageId: 'one', SequenceNumber: '1', MD5OfMessageBody: hash('md5', message.MessageBody) }
          : { __type: 'com.amazonaws.sqs#InternalFailure', message: 'Try again.' },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bell = new SqsJobBell(QUEUE, {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  });
  return { bell, sent };
};

describe('the job queue’s notification', () => {
  test('a notification is one message that names the job, in the single group of all jobs', async () => {
    const { bell, sent } = await openQueue();
    await bell.ring({ id: 7, kind: 'replay', subject: 3 });
    expect(sent).toEqual([
      {
        target: 'AmazonSQS.SendMessage',
        message: expect.objectContaining({
          QueueUrl: QUEUE,
          MessageBody: '{"id":7,"kind":"replay","subject":3}',
          MessageGroupId: 'jobs',
        }),
      },
    ]);
  });

  test('two notifications for one job are two messages, because a job can be queued again', async () => {
    const { bell, sent } = await openQueue();
    await bell.ring({ id: 7, kind: 'replay', subject: 3 });
    await bell.ring({ id: 7, kind: 'replay', subject: 3 });
    const ids = sent.map(({ message }) => message['MessageDeduplicationId']);
    expect(new Set(ids).size).toBe(2);
  });

  test('a notification is retried while SQS is unavailable', async () => {
    const { bell, sent } = await openQueue(503);
    await bell.ring({ id: 7, kind: 'replay', subject: 3 });
    expect(sent).toHaveLength(2);
  });

  test('a notification refused by SQS fails with the reason of SQS', async () => {
    const { bell } = await openQueue(503, 503, 503);
    await expect(bell.ring({ id: 7, kind: 'replay', subject: 3 })).rejects.toThrow('Try again.');
  });
});
