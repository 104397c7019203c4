import type { RefusalCode } from '../refusals.ts';

export const apiMcpTexts = {
  callMcp: {
    group: 'MCP',
    summary: 'Call the account API as tools',
    description:
      'One JSON-RPC message of the Model Context Protocol (Streamable HTTP, revisions 2025-11-25 and 2026-07-28) for each request, answered by one JSON document. The tools are the endpoints that the credential may call. The access token of a sign-in is accepted here, and nowhere else. The reply to `initialize` has an `Mcp-Session-Id`, which is never needed. A notification gets 202 without a body. A batch, a message that is no JSON-RPC and an unknown protocol version are 400 with a JSON-RPC error.',
    bodyExample: { jsonrpc: '2.0', id: '1', method: 'ping', params: {} },
  },
} as const;

/** Hints for agents about a refusal, if the REST API's message is not enough. */
export const ACCOUNT_ADVICE: Readonly<Partial<Record<RefusalCode, string>>> = {
  not_found: 'Take ids, paths and names from the tools that list them, such as list_library and list_products.',
  order_not_found: 'list_orders has the ids.',
  product_entitlement_required: 'list_library has the products that this account may use.',
  version_update_window_expired: 'Call plan_install without `release` for the newest version within the update window.',
  install_not_available: 'list_releases shows the releases of a channel, and show_product_detail the platforms.',
  device_limit_reached: 'Ask the user to release one of these devices at the `manage_url`.',
  session_limit_reached: 'Ask the user to close the application on one of these machines.',
  lease_not_offered: 'Use check_license.',
};

/** Instructions for agents: how the tools of the account MCP work together. */
export const ACCOUNT_INSTRUCTIONS = `This server acts for one account of a software store: what the account owns, how to install it, whether a device may run it.

Products: begin with list_library; its product ids fit every other tool. list_products searches what is on sale. Nothing here buys, cancels or refunds; list_orders, list_invoices and list_subscriptions only show.

Install: plan_install (platform darwin-arm64, darwin-amd64, linux-arm64, linux-amd64, windows-arm64 or windows-amd64) → download download_url without any credential → compare the file's sha256 with the plan's, and stop if they differ → install as show_product_detail says → record_install. Never send an API key to a download URL.

Devices: device_id is a text that you choose once for a machine and keep, such as "macbook-7f3a". show_product_license shows the slots in use and takes none. check_license takes a slot for a device_id that is new to the product. When no slot is free, give the user the manage_url of the error.

Ask the user before a tool that costs something: check_license with a new device_id (a device slot), bulk_activate (makes keys), report_problem (a person reads it), release_device (that device stops), logout_device and revoke_license_device (end this connection). All other tools only read, or write what you report.

The manuals of the account's products are resources too, account://products/{id}/manual. product and product_id mean the same in every tool, and language chooses the language of texts. The output schema of a tool names what its answer holds; new members and values may be added.

Errors say what to change. Ids are integers, times are ISO 8601 in UTC, amounts ending in _cents are integers in minor units. A long answer is shortened and says so in _shortened. ?tools=library,install in the server's address offers only the tools of these groups.`;
