import type { Asked } from '../../../infra/test/iam/evaluate.ts';

type Attribute = { readonly S: string };
type Keyed = { readonly Key?: { readonly pk: Attribute }; readonly Item?: { readonly pk: Attribute } };
type Body = Keyed & {
  readonly ExpressionAttributeValues?: Readonly<Record<string, Attribute>>;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly { readonly pk: Attribute }[] }>>;
  readonly TransactItems?: readonly Readonly<Record<string, Keyed>>[];
};

/** The actions by which IAM evaluates the parts of a transaction (DynamoDB, "Using IAM with DynamoDB transactions"). */
const PARTS: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

const keyOf = ({ Key, Item }: Keyed): string[] => [(Key ?? Item)?.pk.S ?? ''];

/** The partition keys in a call; none for a call without keys, such as a scan. */
const keysOf = (operation: string, body: Body): string[] => {
  if (operation === 'Query') return [body.ExpressionAttributeValues?.[':pk']?.S ?? ''];
  if (operation === 'BatchGetItem')
    return Object.values(body.RequestItems ?? {}).flatMap(({ Keys }) => Keys.map(({ pk }) => pk.S));
  return body.Key || body.Item ? keyOf(body) : [];
};

/** A DynamoDB call as IAM evaluates it, with one verdict for each part of a transaction. */
export const dynamodbAsked = (operation: string, json: string, resource: string): Asked[] => {
  const body = JSON.parse(json) as Body;
  const asked = (action: string, keys: readonly string[]): Asked => ({
    action: `dynamodb:${action}`,
    resource,
    context: keys.length === 0 ? {} : { 'dynamodb:LeadingKeys': keys },
  });
  if (operation !== 'TransactWriteItems') return [asked(operation, keysOf(operation, body))];
  return (body.TransactItems ?? []).flatMap((item) =>
    Object.entries(item).map(([part, keyed]) => asked(PARTS[part] ?? part, keyOf(keyed))),
  );
};
