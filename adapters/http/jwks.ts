import { Router } from 'express';
import { sendRevalidated, sendWrongMethod } from './reply.ts';

const PATH = '/.well-known/jwks.json';

/** Seconds for which anybody may keep the keys; a key is listed for longer than that before it signs. */
const KEPT_SECONDS = 300;

/** The public keys that verify what the service signs, as a JWK set (RFC 7517); the same for everybody. */
export const jwksRouter = (list: () => Promise<object>): Router => {
  const router = Router({ strict: true, caseSensitive: true });
  router.get(PATH, async (req, res) => {
    const json = JSON.stringify(await list());
    res.setHeader('Access-Control-Allow-Origin', '*');
    sendRevalidated(req, res, json, 'application/jwk-set+json', `public, max-age=${KEPT_SECONDS}`);
  });
  router.all(PATH, (_req, res) => sendWrongMethod(res, ['GET', 'HEAD']));
  return router;
};
