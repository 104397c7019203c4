import { beforeAll, expect, test } from 'vitest';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { requires } from '../../../domain/access/access-rule.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { INSTALLS_A_DAY } from '../../../domain/devices/usage.ts';
import { toInstant } from '../../../domain/shared/instant.ts';
import type { EndpointSpec, ToolSpec } from '../../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { aKey } from '../../surface/buyers.ts';
import { seatReleased } from '../../surface/callers.ts';
import { aToolsCustomer, goodArguments } from '../../surface/good-arguments.ts';
import { callTool } from '../../surface/mcp-message.ts';
import type { Mount } from '../../surface/mount.ts';
import { TOOL } from '../../surface/shop.ts';

type ToolEndpoint = EndpointSpec & { readonly tool: ToolSpec };

const TOOLS = allEndpoints.filter(
  (endpoint): endpoint is ToolEndpoint =>
    endpoint.tool !== undefined && endpoint.host !== 'design' && endpoint.host !== 'shop',
);

/** Calls each tool of the account MCP twice, so that the second call finds what the first one wrote. */
export const toolsWalk = (mount: () => Mount): void => {
  let account: number;

  beforeAll(async () => {
    const { service } = mount();
    account = await aToolsCustomer(service);
    const [bounds, now] = [service.get('dailyBounds'), toInstant(Date.now())];
    await bounds.count(grantPermit(), INSTALLS_A_DAY, String(account), INSTALLS_A_DAY.most - 1, now);
  });

  test.each(TOOLS)('the tool $tool.name answers', async (endpoint) => {
    const scope = requires(endpoint, 'scoped') ? { product_id: TOOL } : {};
    const options = { abilities: ABILITIES, device: { device_id: 'a-device' }, ...scope };
    await seatReleased(mount().service, endpoint, account);
    const { value } = await aKey(mount().service, account, options);
    const call = () => callTool(mount(), value, endpoint.tool.name, goodArguments(endpoint));
    const { body } = await call();
    expect(body.result?.isError, JSON.stringify(body)).not.toBe(true);
    expect((await call()).status).toBeLessThan(500);
  });
};
