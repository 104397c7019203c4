import type { Context } from '../context.ts';

/** A repository on GitHub whose workflow deploys this stage. */
export type PipelineOption = {
  /** `OWNER/NAME` */
  readonly repository: string;
  /** The provider for GitHub's tokens that the account has already; undefined makes one. An account has one at most. */
  readonly providerArn: string | undefined;
};

const REPOSITORY = /^[\w-]{1,39}\/[\w.-]{1,100}$/;
const PROVIDER = /^arn:aws[a-z-]*:iam::\d{12}:oidc-provider\/token\.actions\.githubusercontent\.com$/;

/** The pipeline that the context asks for; undefined where it names no repository. Throws one sentence for a wrong value. */
export const pipelineOf = (context: Context): PipelineOption | undefined => {
  const repository = context.text('pipelineRepository');
  const providerArn = context.text('pipelineProviderArn');
  if (repository === undefined) {
    if (providerArn === undefined) return undefined;
    throw new Error('-c pipelineProviderArn needs -c pipelineRepository, the repository that deploys.');
  }
  if (!REPOSITORY.test(repository)) {
    throw new Error(`-c pipelineRepository takes OWNER/NAME of a repository on GitHub; it is "${repository}".`);
  }
  if (providerArn !== undefined && !PROVIDER.test(providerArn)) {
    throw new Error(
      `-c pipelineProviderArn takes the ARN of the account's provider token.actions.githubusercontent.com; it is "${providerArn}".`,
    );
  }
  return { repository, providerArn };
};
