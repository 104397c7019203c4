import { createReadStream } from 'node:fs';
import express from 'express';
import { checkLicense } from '../../../ports/inbound/api/licensing.ts';
import { report } from '../child.ts';

/** The baseline of the service: plain Express 5 routes that do the minimum. */
const library: unknown = JSON.parse(process.env['BENCH_LIBRARY'] ?? '{}');
const file = process.env['BENCH_FILE'] ?? '';

const app = express();
app.disable('x-powered-by');
app.post('/api/license/check', express.json(), (req, res) => {
  const body = checkLicense.body.safeParse(req.body);
  if (body.success) res.json({ valid: true, ...body.data });
  else res.status(422).json({ message: 'The given data was invalid.' });
});
app.get('/api/library', (_req, res) => {
  res.json(library);
});
app.get('/file', (_req, res) => {
  createReadStream(file).pipe(res);
});
const server = app.listen(0, '127.0.0.1', () => report(server, {}));
