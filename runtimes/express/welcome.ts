import type { Host } from '../../ports/inbound/hosts.ts';
import type { Demo } from './first-start.ts';

const PLATFORM = `${process.platform === 'darwin' ? 'darwin' : 'linux'}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;
const SHA256_CHECK = process.platform === 'darwin' ? 'shasum -a 256 -c' : 'sha256sum -c';

const field = (name: string): string => `$(node -p 'require("/tmp/plan.json").data.${name}')`;

const commands = (
  { api, design, account }: Readonly<Record<Host, string>>,
  { key, productId, agentToken, email, password }: Demo,
): string => `
Try it (each block can be pasted as it is):

  export ACCOUNT_API_KEY=${key}
  auth="Authorization: Bearer $ACCOUNT_API_KEY"

  # list what the account owns
  curl -sS -H "$auth" ${api}/api/library |
    node -p 'JSON.parse(fs.readFileSync(0)).items.map((item) => item.product.id + "  " + item.product.name).join("\\n")'

  # plan an install, download it by its signed URL, compare the sha256
  curl -sS -H "$auth" "${api}/api/products/${productId}/install?platform=${PLATFORM}" -o /tmp/plan.json
  curl -sS "${field('download_url')}" -o /tmp/hashcheck
  echo "${field('sha256')}  /tmp/hashcheck" | ${SHA256_CHECK}
  sh /tmp/hashcheck --version

  # check the license on four devices; the license allows three, so the fourth gets 409
  for device in one two three four; do
    curl -sS -w '\\n%{http_code}\\n' -H "$auth" -H 'Content-Type: application/json' \\
      -d "{\\"product_id\\": ${productId}, \\"device_id\\": \\"$device\\"}" ${api}/api/license/check
  done

  # upload a day's usage twice; the second replaces the first
  for try in 1 2; do
    curl -sS -w '\\n' -H "$auth" -H 'Content-Type: application/json' ${api}/api/device/usage \\
      -d "{\\"consent\\": true, \\"days\\": [{\\"product_id\\": ${productId}, \\"usage_date\\": \\"$(date -u +%F)\\", \\"launches\\": 3}]}"
  done

  # list the tools that an agent gets with this key (MCP)
  curl -sS -H "$auth" -H 'Content-Type: application/json' ${api}/api/mcp \\
    -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}' |
    node -p 'JSON.parse(fs.readFileSync(0)).result.tools.map((tool) => tool.name).join(", ")'

  # connect Claude Code to them; the README has other clients
  # claude mcp add --transport http account ${api}/api/mcp --header "$auth"

  # fill the gallery with the pages of the demo account (needs Chromium)
  # export DESIGN_TOKEN=${agentToken} ACCOUNT_EMAIL=${email} ACCOUNT_PASSWORD=${password}
  # npx --no -- node examples/collector/main.ts --design ${design} --account ${account}
`;

const keyAdvice = (cli: string): string => `
This store has data already, and a key is shown only when it is created. Create a key for an account with:

  ${cli} account list
  ${cli} key create --account 1 --name mine --abilities products.read,mcp.read,device.entitlements,device.install,device.usage
`;

/**
 * The text on standard output when the service has started. The log does not have it, and the key is not shown again.
 */
export const welcome = (
  urls: Readonly<Record<Host, string>>,
  { legacy, metrics }: { readonly legacy?: string | undefined; readonly metrics?: string | undefined },
  demo: Demo | null,
  cli: string,
): string => `
The account service is running.

  Account API   ${urls.api}
  Reference     ${urls.api}/docs
  OpenAPI       ${urls.api}/openapi.json
  Agents (MCP)  ${urls.api}/api/mcp
  Design host   ${urls.design}  (the gallery)
  App host      ${urls.app}${demo ? `\n  Update feed   ${urls.app}/distribution/v1/products/${demo.appId}/appcast.xml` : ''}
  Sign-in       ${urls.account}${legacy === undefined ? '' : `\n  Legacy host   ${legacy}`}${metrics === undefined ? '' : `\n  Metrics       ${metrics}`}
${
  demo
    ? `
  Demo account  ${demo.email}, password ${demo.password}
  API key       ${demo.key}
                (has every ability; shown only now, for the store keeps only its hash)
${commands(urls, demo)}`
    : keyAdvice(cli)
}
Stop it with Ctrl+C.
`;
