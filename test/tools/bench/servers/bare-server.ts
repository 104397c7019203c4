import { generateKeyPairSync, sign } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import { Webhook } from 'standardwebhooks';
import { checkLicense } from '../../../../ports/inbound/api/licensing.ts';
import { report } from '../child.ts';

/** The baseline of the service: plain Express 5 routes that do the minimum. */
const library: unknown = JSON.parse(process.env['BENCH_LIBRARY'] ?? '{}');
const file = process.env['BENCH_FILE'] ?? '';
const port = Number(process.env['BENCH_PORT'] ?? 0);

/** The bytes that the service signs for a license check: the header and the claims of a token. */
const signed = Buffer.from(process.env['BENCH_SIGNED'] ?? '');
const { privateKey } = generateKeyPairSync('ed25519');

const app = express();
app.disable('x-powered-by');
app.post('/api/license/check', express.json(), (req, res) => {
  const body = checkLicense.body().safeParse(req.body);
  if (body.success) res.json({ valid: true, ...body.data });
  else res.status(422).json({ message: 'The given data was invalid.' });
});
app.post('/signed', express.json(), (req, res) => {
  const body = checkLicense.body().safeParse(req.body);
  if (body.success)
    res.json({ valid: true, ...body.data, token: sign(null, signed, privateKey).toString('base64url') });
  else res.status(422).json({ message: 'The given data was invalid.' });
});
app.get('/api/library', (_req, res) => {
  res.json(library);
});
app.get('/file', (_req, res) => {
  createReadStream(file).pipe(res);
});

/** Verifies an event, and writes it as one row that reaches the disk before the answer. */
const events = new DatabaseSync(process.env['BENCH_EVENTS'] ?? ':memory:');
events.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE events (id TEXT PRIMARY KEY, body TEXT)',
);
const insert = events.prepare('INSERT INTO events VALUES (?, ?)');
const secret = process.env['SHOP_WEBHOOK_SECRET'];
const webhook = secret ? new Webhook(secret) : undefined;
app.post('/webhooks/shop', express.text({ type: '*/*' }), (req, res) => {
  webhook?.verify(req.body, req.headers as Record<string, string>);
  insert.run(req.headers['webhook-id'] as string, req.body);
  res.json({ state: 'done' });
});
const server = app.listen(port, '127.0.0.1', () => report(server, {}));
