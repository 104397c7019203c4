import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anAgent } from '../surface/agents.ts';
import { send } from '../surface/client.ts';
import { IN_MEMORY, openExpressMount } from '../surface/express-mount.ts';
import { INITIALIZE, message2025 } from '../surface/mcp-message.ts';
import type { Mount } from '../surface/mount.ts';
import { withinOneMinute } from '../surface/times.ts';

describe('the limit of messages to the design MCP', () => {
  const LIMIT = 4;
  let mount: Mount;

  beforeAll(async () => {
    mount = await openExpressMount(IN_MEMORY, { perAgent: LIMIT });
  });
  afterAll(() => mount.close());
  beforeEach(withinOneMinute);

  test.each([
    ['initialize', INITIALIZE],
    ['a list of resources', message2025('resources/list')],
    ['a resource', message2025('resources/read', { uri: 'design://documents/none' })],
    ['a URI that can’t be one', message2025('resources/read', { uri: 'x' })],
    ['a tool', message2025('tools/call', { name: 'list_documents', arguments: {} })],
  ])('the message %s counts once against the agent’s limit, and is 429 above it', async (_, json) => {
    const { key } = await anAgent(mount.service, 'read');
    const tell = () => send(mount, 'POST', '/mcp', { json, key });
    const left = [];
    for (let n = 0; n < LIMIT; n++) left.push((await tell()).headers.get('x-ratelimit-remaining'));
    expect(left).toEqual(['3', '2', '1', '0']);
    const refused = await tell();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
