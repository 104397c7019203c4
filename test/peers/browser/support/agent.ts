import { randomBytes } from 'node:crypto';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { listen } from '../../../support/download-server.ts';
import { ClientMemory } from '../../mcp/a-client.ts';

/* An agent on this machine, as people install them: the official client, and a local server for the callback. */

/** The text on the agent's page for a returning browser. */
export const BACK_AT_AGENT = 'The agent has its answer.';

class AgentMemory extends ClientMemory {
  readonly #state = randomBytes(16).toString('base64url');

  state(): string {
    return this.#state;
  }
}

/** A native client's local server (RFC 8252, section 7.3). It stores the queries of returning browsers. */
const aCallbackServer = async (): Promise<{ redirect: string; answers: URLSearchParams[] }> => {
  const answers: URLSearchParams[] = [];
  const { url, close } = await listen((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://127.0.0.1');
    if (pathname === '/callback') answers.push(searchParams);
    res
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Agent</title><p>${BACK_AT_AGENT}</p>`);
  });
  onTestFinished(close);
  return { redirect: `${url}/callback`, answers };
};

/** An agent that has not requested access yet, with its self-declared name. */
export const anAgent = async (mcp: URL, name: string) => {
  const { redirect, answers } = await aCallbackServer();
  const memory = new AgentMemory({ redirect, name });
  return {
    memory,
    redirect,
    /** The queries of returning browsers, oldest first. */
    answers,
    /** Registers the agent if needed, and returns the URL that it opens in a browser. */
    ask: async (scope: string): Promise<string> => {
      memory.opened = undefined;
      const result = await auth(memory, { serverUrl: mcp, scope });
      if (result !== 'REDIRECT' || !memory.opened) throw new Error(`The agent did not ask: ${result}`);
      return (memory.opened as URL).href;
    },
    /** Redeems the code of the latest answer. */
    finish: (): Promise<void> =>
      new StreamableHTTPClientTransport(mcp, { authProvider: memory }).finishAuth(answers.at(-1)?.get('code') ?? ''),
    /** Connects with the agent's tokens. */
    connect: async (): Promise<Client> => {
      const client = new Client({ name, version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(mcp, { authProvider: memory }));
      onTestFinished(() => client.close());
      return client;
    },
  };
};
