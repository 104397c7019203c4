import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Option } from '../stage.ts';

/** The right to send from one address, by the identity of the address itself or of its domain. */
export const mailStatement = (scope: Construct, { from }: Option<'mail'>): PolicyStatement => {
  const stack = Stack.of(scope);
  const names = [from, from.slice(from.lastIndexOf('@') + 1)];
  return new PolicyStatement({
    actions: ['ses:SendEmail', 'ses:SendRawEmail'],
    resources: names.map((resourceName) => stack.formatArn({ service: 'ses', resource: 'identity', resourceName })),
    conditions: { StringEquals: { 'ses:FromAddress': from } },
  });
};

/** The variables by which messages to buyers are written and sent. */
export const mailVariables = (mail: Option<'mail'> | undefined): Record<string, string> =>
  mail ? { MAIL: 'ses', MAIL_FROM: mail.from } : {};
