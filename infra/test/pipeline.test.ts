import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Properties, resourcesOf, synthesized } from './synthesized.ts';

const REPOSITORY = 'shop/account-service';
const PROVIDER = 'arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com';
/** A CDK process takes a while to load on a busy machine. */
const timeout = 240_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'account-service-pipeline-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Step = { readonly name?: string; readonly uses?: string; readonly run?: string; readonly if?: string };
type Job = {
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
};

/** The jobs of the workflow, with YAML anchors resolved. */
const jobsOf = async (): Promise<Readonly<Record<string, Job>>> =>
  parse(await readFile('infra/machine/pipeline/deploy.yml', 'utf8')).jobs;

const commandsOf = ({ steps }: Job): string[] => steps.flatMap(({ run }) => run?.split('\n') ?? []);

/** Runs the CDK's command line, and returns its exit code with its output. */
const cdk = (...args: string[]): Promise<{ readonly code: number; readonly said: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['infra/node_modules/aws-cdk/bin/cdk', ...args], (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    );
  });

describe('the deployment workflow', () => {
  test('each job follows the previous one, and prod is deployed by the same steps as dev', async () => {
    const { test: tested, dev, prod, ...others } = await jobsOf();
    expect(others).toEqual({});
    expect([tested?.needs, dev?.needs, prod?.needs]).toEqual([undefined, 'test', 'dev']);
    expect([dev?.environment, prod?.environment]).toEqual(['dev', 'prod']);
    expect([dev?.env, prod?.env]).toEqual([{ STAGE: 'dev' }, { STAGE: 'prod' }]);
    expect(prod?.steps).toEqual(dev?.steps);
  });

  test('only a job of an environment may request credentials, and no job writes to the repository', async () => {
    const { test: tested, dev, prod } = await jobsOf();
    expect(tested?.permissions).toEqual({ contents: 'read' });
    for (const job of [dev, prod]) expect(job?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  });

  test('each action is pinned to a commit', async () => {
    const used = Object.values(await jobsOf()).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((uses) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(uses))).toEqual([]);
  });

  test('the gate runs before the deployment, and the license check after it', async () => {
    const { prod } = await jobsOf();
    const at = (words: string) => prod?.steps.findIndex(({ run }) => run?.includes(words)) ?? -1;
    const order = [at('build:lambda'), at('--fail-on destructive'), at('cdk -- deploy'), at('/api/license/check')];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    expect(prod?.steps[order[1] ?? -1]?.if).toMatch(/^\$\{\{ !inputs\.accept-loss \}\}$/);
  });

  test('each CDK command names only the stage, whose settings are in the repository', async () => {
    const commands = Object.values(await jobsOf()).flatMap((job) =>
      commandsOf(job).filter((line) => / -c /.test(line)),
    );
    expect(commands.length).toBeGreaterThan(4);
    for (const line of commands) expect(line.match(/ -c \S+/g)).toEqual([expect.stringMatching(/^ -c "?stage=/)]);
  });

  test('the workflow’s npm scripts exist', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
    const run = Object.values(await jobsOf()).flatMap(commandsOf);
    const named = run.flatMap((line) => [...line.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name]) => name));
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !(String(name) in scripts))).toEqual([]);
  });

  test('the workflow’s CDK flags exist', { timeout }, async () => {
    for (const command of ['diff', 'deploy'] as const) {
      const { said } = await cdk(command, '--help');
      const lines = commandsOf((await jobsOf())['prod'] as Job).filter((line) => line.includes(`cdk -- ${command}`));
      const flags = lines.flatMap((line) => line.match(/--[a-z][a-z-]+/g) ?? []);
      expect(flags.length).toBeGreaterThan(0);
      expect(flags.filter((flag) => !said.includes(flag))).toEqual([]);
    }
  });
});

describe('the gate before a deployment', () => {
  type Change = { readonly key?: string; readonly secret?: boolean; readonly description?: string };

  const synthesizedIn = (name: string, { key = 'pk', secret = true, description = 'one' }: Change): string => {
    const app = new App({ outdir: join(folder, name) });
    const stack = new Stack(app, 'data');
    new TableV2(stack, 'Table', { partitionKey: { name: key, type: AttributeType.STRING } });
    if (secret) new Secret(stack, 'Secret', { description, removalPolicy: RemovalPolicy.RETAIN });
    return app.synth().directory;
  };

  test.each([
    ['that replaces the table', { key: 'id' }, 1, 'will be replaced'],
    ['that gives a secret up', { secret: false }, 1, 'will be orphaned'],
    ['that loses nothing', { description: 'another' }, 0, 'Number of stacks with differences: 1'],
  ])('a change %s is reported by the CDK', { timeout }, async (name, change, code, said) => {
    const template = join(synthesizedIn('before', {}), 'data.template.json');
    const app = synthesizedIn(name.replaceAll(' ', '-'), change);
    const diff = await cdk('diff', 'data', '--app', app, '--template', template, '--fail-on', 'destructive');
    expect(diff).toEqual({ code, said: expect.stringContaining(said) });
  });
});

describe('the stack of the pipeline', () => {
  const prod = synthesized({ stage: 'prod', pipeline: { repository: REPOSITORY } });
  const role = (): Properties => resourcesOf(prod.templates.pipeline, 'AWS::IAM::Role')[0]?.[1] as Properties;

  test('only a run of the repository in the stage’s environment gets the role', () => {
    const [trust, ...others] = role()['AssumeRolePolicyDocument'].Statement;
    expect(others).toEqual([]);
    expect(trust.Condition).toEqual({
      StringEquals: {
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:sub': `repo:${REPOSITORY}:environment:prod`,
      },
    });
    prod.templates.pipeline.hasResourceProperties('AWS::IAM::OIDCProvider', {
      Url: 'https://token.actions.githubusercontent.com',
      ClientIdList: ['sts.amazonaws.com'],
    });
  });

  test('the role deploys by the bootstrap’s roles, and may itself only read outputs of this stage', () => {
    const policy = resourcesOf(prod.templates.pipeline, 'AWS::IAM::Policy')[0]?.[1] as Properties;
    const [assume, described, ...others]: Properties[] = policy['PolicyDocument'].Statement;
    expect(others).toEqual([]);
    expect([assume?.['Action'], described?.['Action']]).toEqual(['sts:AssumeRole', 'cloudformation:DescribeStacks']);
    expect(JSON.stringify(assume?.['Resource']).match(/role\/cdk-hnb659fds-[a-z-]+-role-/g)).toHaveLength(3);
    expect(JSON.stringify(described?.['Resource'])).toContain(':stack/account-service-prod-*');
  });

  test('an account that has the provider already gets no second one', () => {
    const pipeline = { repository: REPOSITORY, providerArn: PROVIDER };
    synthesized({ pipeline }).templates.pipeline.resourceCountIs('AWS::IAM::OIDCProvider', 0);
  });
});
