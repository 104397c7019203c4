import { FetchRefused, guardedFetch } from '../../../adapters/outbound-http/guarded-fetch.ts';
import { oneLine } from '../../composition/faults.ts';
import { type Finding, fine, next } from './finding.ts';

const CHECK = 'client documents';

/** The metadata document of a well-known client. Any answer shows that there is a way out. */
const DOCUMENT = 'https://vscode.dev/oauth/client-metadata.json';

/** Checks the way out to the internet by which the account host fetches the documents of clients. */
export const checkClientDocuments = async (
  fetch: (url: string) => Promise<Response> = guardedFetch(),
): Promise<Finding> => {
  try {
    const { status } = await fetch(DOCUMENT);
    return fine(CHECK, `The metadata documents of clients can be fetched: ${DOCUMENT} answers ${status}.`);
  } catch (error) {
    const why = error instanceof FetchRefused ? error.message.replace(/\.$/, '') : oneLine(error);
    return next(
      CHECK,
      `This machine can't fetch ${DOCUMENT} (${why}), so that clients such as Claude Code can't sign in; give it a way out to the internet, or set CLIENT_DOCUMENTS=off`,
    );
  }
};
