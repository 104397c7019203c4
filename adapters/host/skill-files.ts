import { refuse } from '../../domain/shared/outcome.ts';
import type { SkillPackage } from '../../ports/outbound/documents.ts';
import type { HostRoute } from './host.ts';
import { refusalReply, revalidatedReply } from './reply.ts';

/** Seconds for which anybody may cache a file. A new version of the package comes with a new version of the service. */
const KEPT_SECONDS = 300;

/** The files of the skill package, for everybody. A path is compared with the package's own; it opens no file. */
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
    return revalidatedReply(request, file.text, 'text/markdown; charset=utf-8', `public, max-age=${KEPT_SECONDS}`);
  },
});
