import { generateKeyPairSync, sign } from 'node:crypto';
import { createReadStream } from 'node:fs';
import express from 'express';
import { checkLicense } from '../../../../ports/inbound/api/licensing.ts';
import { report } from '../child.ts';

/** The baseline of the service: plain Express 5 routes that do the minimum. */
const library: unknown = JSON.parse(process.env['BENCH_LIBRARY'] ?? '{}');
const file = process.env['BENCH_FILE'] ?? '';
const port = Number(process.env['BENCH_PORT'] ?? 0);

/** The bytes that the service signs for a license check: the header and the claims of one of its tokens. */
const signed = Buffer.from(process.env['BENCH_SIGNED'] ?? '');
const { privateKey } = generateKeyPairSync('ed25519');

const app = express();
app.disable('x-powered-by');
app.post('/api/license/check', express.json(), (req, res) => {
  const body = checkLicense.body.safeParse(req.body);
  if (body.success) res.json({ valid: true, ...body.data });
  else res.status(422).json({ message: 'The given data was invalid.' });
});
app.post('/signed', express.json(), (req, res) => {
  const body = checkLicense.body.safeParse(req.body);
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
const server = app.listen(port, '127.0.0.1', () => report(server, {}));
