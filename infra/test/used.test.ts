import { describe, expect, test } from 'vitest';
import { type Properties, resourcesOf, synthesized } from './synthesized.ts';

const prod = synthesized({ stage: 'prod' });

const all = (type: string) => resourcesOf(prod.templates.service, type);

/** The logical ids of the queues on which a role's policy allows an action. */
const allowed = (action: string): string[] =>
  all('AWS::IAM::Policy').flatMap(([, { PolicyDocument }]) =>
    PolicyDocument.Statement.filter((one: Properties) => [one['Action']].flat().includes(action)).flatMap(
      ({ Resource }: Properties) => [Resource].flat().map((arn: Properties) => arn['Fn::GetAtt']?.[0]),
    ),
  );

describe('the resources of the stacks', () => {
  test('every queue has a sender, and a reader or an alarm', () => {
    const queues = all('AWS::SQS::Queue');
    expect(queues.length).toBeGreaterThan(1);
    const [sent, read] = [allowed('sqs:SendMessage'), allowed('sqs:ReceiveMessage')];
    const consumed = all('AWS::Lambda::EventSourceMapping').map(
      ([, { EventSourceArn }]) => EventSourceArn['Fn::GetAtt'][0],
    );
    const watched = JSON.stringify(resourcesOf(prod.templates.operations, 'AWS::CloudWatch::Alarm'));
    for (const [id] of queues) {
      expect(sent, `somebody sends to ${id}`).toContain(id);
      // An operator reads the dead letters after an alarm about them.
      const isHeard = watched.includes('ApproximateNumberOfMessagesVisible') && watched.includes(id);
      expect((read.includes(id) && consumed.includes(id)) || isHeard, `somebody reads ${id}`).toBe(true);
    }
  });

  test('every log group is written by a function or a host', () => {
    const writers = JSON.stringify([...all('AWS::Lambda::Function'), ...all('AWS::ApiGateway::Stage')]);
    const groups = all('AWS::Logs::LogGroup');
    expect(groups.length).toBeGreaterThan(10);
    expect(groups.map(([id]) => id).filter((id) => !writers.includes(`"${id}"`))).toEqual([]);
  });

  test('every alarm notifies a topic of the stack, and every topic has an alarm', () => {
    const topics = resourcesOf(prod.templates.operations, 'AWS::SNS::Topic').map(([id]) => id);
    const told = resourcesOf(prod.templates.operations, 'AWS::CloudWatch::Alarm').flatMap(([, { AlarmActions }]) =>
      AlarmActions.map(({ Ref }: Properties) => Ref),
    );
    expect(new Set(told)).toEqual(new Set(topics));
  });

  test('every secret of the data is read by a function, or by the command line as the guide says', () => {
    const { Outputs } = prod.templates.data.toJSON();
    const named = JSON.stringify(Object.entries(Outputs).filter(([name]) => name.endsWith('SecretArn')));
    const secrets = resourcesOf(prod.templates.data, 'AWS::SecretsManager::Secret').map(([id]) => id);
    expect(secrets).toHaveLength(3);
    expect(secrets.filter((id) => !named.includes(`"${id}"`))).toEqual([]);
  });
});
