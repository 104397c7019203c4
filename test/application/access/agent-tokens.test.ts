import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';

const permit = grantPermit();

test('a new agent token identifies its agent until it is revoked', async () => {
  const { get } = memoryService();
  const { value, token } = done(await get('createAgentToken')(permit, { role: 'write', name: 'Nightly' }));
  expect(await get('authenticateAgent')(value)).toEqual({
    ok: true,
    value: { kind: 'agent', id: token.id, role: 'write', name: 'Nightly' },
  });
  expect(await get('revokeAgentToken')(permit, { token_id: token.id })).toEqual({ ok: true, value: { id: token.id } });
  expect(await get('authenticateAgent')(value)).toMatchObject({ ok: false, code: 'invalid_api_key' });
});

test('an agent token needs a name that people see', async () => {
  const { get } = memoryService();
  expect(await get('createAgentToken')(permit, { role: 'read', name: ' \u200b' })).toMatchObject({
    code: 'name_is_empty',
  });
  expect(await get('listAgentTokens')()).toEqual([]);
});

test('an unknown or revoked agent token can’t be revoked', async () => {
  const { get } = memoryService();
  const { token } = done(await get('createAgentToken')(permit, { role: 'read', name: 'Reader' }));
  await get('revokeAgentToken')(permit, { token_id: token.id });
  for (const id of [token.id, 999]) {
    expect(await get('revokeAgentToken')(permit, { token_id: id })).toEqual({
      ok: false,
      code: 'agent_token_not_found',
      message: `There is no live agent token ${id}.`,
    });
  }
});
