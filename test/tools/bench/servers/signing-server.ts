import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { report } from '../child.ts';

/** A server that does nothing but sign the bytes of a license token, on the event loop (`/sync`) or off it (`/async`). */
const signed = Buffer.from(process.env['BENCH_SIGNED'] ?? '');
const { privateKey } = generateKeyPairSync('ed25519');

const answer = (res: ServerResponse, signature: Buffer): void => {
  const text = JSON.stringify({ valid: true, token: signature.toString('base64url') });
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
};

const signAndAnswer = (req: IncomingMessage, res: ServerResponse): void => {
  if (req.url === '/sync') answer(res, sign(null, signed, privateKey));
  else sign(null, signed, privateKey, (error, signature) => (error ? res.destroy(error) : answer(res, signature)));
};

const server = createServer((req, res) => {
  req.resume().once('end', () => signAndAnswer(req, res));
});
server.listen(0, '127.0.0.1', () => report(server, {}));
