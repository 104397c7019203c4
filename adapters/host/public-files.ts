import { refuse } from '../../domain/shared/outcome.ts';
import type { SkillPackage } from '../../ports/outbound/design/documents.ts';
import type { HostRoute } from './host.ts';
import { refusalReply, revalidatedReply } from './reply.ts';

/** Seconds for which shared caches may keep the keys. Every key is listed for longer than that before it signs. */
const KEYS_MAX_AGE = 300;

/**
 * The route of the public keys that verify the service's signatures, as a JWK set (RFC 7517). The set is the same for
 * every caller.
 */
export const jwksRoute = (list: () => Promise<object>): HostRoute => ({
  method: 'GET',
  path: '/.well-known/jwks.json',
  entry: async (request) => {
    const json = JSON.stringify(await list());
    const reply = revalidatedReply(request, json, 'application/jwk-set+json', `public, max-age=${KEYS_MAX_AGE}`);
    return { ...reply, headers: { ...reply.headers, 'access-control-allow-origin': '*' } };
  },
});

/** Seconds for which shared caches may keep a file. The package changes only with the service's version. */
const SKILL_MAX_AGE = 300;

/** The public files of the skill package. A path is looked up in the package; it never opens a file. */
export const skillRoute = (skill: SkillPackage): HostRoute => ({
  method: 'GET',
  path: '/skill/{path}',
  entry: async (request, { path }) => {
    const { files } = await skill.read();
    const file = files.find((one) => one.path === path);
    if (!file) {
      return refusalReply(
        refuse('not_found', { message: 'The skill package has no such file; its manifest lists them.' }),
      );
    }
    return revalidatedReply(request, file.text, 'text/markdown; charset=utf-8', `public, max-age=${SKILL_MAX_AGE}`);
  },
});
