import { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import type { HostApi } from '../constructs/host-api.ts';
import type { HostFunction } from '../constructs/host-function.ts';
import type { CloudFront } from '../options/cloud-front.ts';
import { SIGNING } from '../permissions/file-access.ts';
import { routesOf, type Served } from '../routes.ts';
import type { Stage } from '../stage.ts';
import { FrontPolicies } from './front-policies.ts';
import { HostFront } from './host-front.ts';
import { OriginSecrets } from './origin-secrets.ts';
import { FILES_PATTERN, SignedFiles } from './signed-files.ts';

export type FrontProps = {
  readonly settings: CloudFront;
  readonly domains: Stage['domains'];
  readonly apis: Readonly<Partial<Record<Served, HostApi>>>;
  readonly functions: Readonly<Record<FunctionName, HostFunction>>;
  readonly objectsExport: string;
};

/** CloudFront in front of each host that has a name of its own, and what the functions need to know of it. */
export class Front extends Construct {
  constructor(scope: Construct, id: string, { settings, domains, apis, functions, objectsExport }: FrontProps) {
    super(scope, id);
    const hosts = (Object.keys(apis) as Served[]).filter((host) => domains[host] !== undefined);
    const secrets = new OriginSecrets(this, 'Secrets', settings.secret);
    const policies = new FrontPolicies(this, 'Policies');
    const url = apis.api?.url ?? '';
    const files = settings.files && new SignedFiles(this, 'Files', { settings: settings.files, objectsExport, url });
    for (const host of hosts) {
      const { distribution } = new HostFront(this, host, {
        settings,
        policies,
        secret: secrets.shown,
        name: domains[host]?.name ?? '',
        originDomain: apis[host]?.originDomain ?? '',
        behaviors: files && host === 'api' ? { [FILES_PATTERN]: files.behavior } : {},
      });
      // The functions accept a new secret before CloudFront shows it.
      distribution.node.addDependency(...FUNCTIONS.map((name) => functions[name].live));
    }
    const behind = new Set(hosts.flatMap((host) => routesOf(host).map(({ to }) => to)));
    const environment = {
      ORIGIN_SECRET_ARN: secrets.accepted.map(({ secretArn }) => secretArn).join(','),
      ...(settings.way === 'beside' && { ORIGIN_SECRET_REQUIRED: 'off' }),
    };
    for (const name of behind) {
      for (const { secretArn } of secrets.accepted) functions[name].allow(['secretsmanager:GetSecretValue'], secretArn);
      for (const [key, value] of Object.entries(environment)) functions[name].function.addEnvironment(key, value);
    }
    for (const name of SIGNING) files?.letSign(functions[name]);
  }
}
