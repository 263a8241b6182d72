import { expect, test } from 'vitest'
import { hash } from 'node:crypto'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { saidIn } from '../../../test/support/import-sources/litellm-plan.ts'
import { readConfigurationPlan } from '../read-plan.ts'
import type { Row } from '../source.ts'

const CONFIG = JSON.stringify({
  model_list: [{ model_name: 'm', litellm_params: { model: 'hosted_vllm/m', api_base: 'http://10.0.0.1' } }],
})
/** Columns as LiteLLM’s migrations leave them where nothing is set. */
const UNSET = { models: '{}', max_budget: null, metadata: '{}', spend: '0', total_spend: '0', model_spend: '{}' }
const USER = { ...UNSET, user_email: null, user_role: 'internal_user' }
const KEY = {
  ...UNSET,
  key_name: null,
  expires: null,
  user_id: 'ann',
  team_id: null,
  allowed_routes: '{}',
  key_type: 'default',
  blocked: null,
}

async function planOf({ users = [], keys = [] }: { users?: readonly Row[]; keys?: readonly Row[] }) {
  const database = rowsInMemory({
    litellm_usertable: [{ ...USER, user_id: 'ann', max_budget: '5' }, ...users.map((row) => ({ ...USER, ...row }))],
    litellm_teamtable: [{ ...UNSET, team_id: 't', team_alias: 'T', blocked: 'f', total_spend: '7' }],
    litellm_verificationtoken: keys.map((row) => ({ ...KEY, ...row, token: hash('sha256', String(row['key_alias'])) })),
  })
  const settings = {
    accepted: new Set<never>(),
    negative: null,
    admins: 'keep',
    pricing: null,
    oidcIssuer: null,
    nowMs: 0,
  } as const
  const beside = { environment: {}, variables: null, database } as const
  const plan = await readConfigurationPlan({ text: CONFIG, path: '/config.yaml' }, { ...settings, ...beside })
  return { plan, said: saidIn(plan) }
}

test('kinds of keys that call models, and sums of what was spent, are nothing that is lost', async () => {
  const { plan, said } = await planOf({
    users: [{ user_id: 'bob', total_spend: '12.5', model_spend: '{"m": 12.5}' }],
    keys: [
      { key_alias: 'a', key_type: 'llm_api', allowed_routes: '{llm_api_routes}', total_spend: '3.25' },
      { key_alias: 'b', key_type: 'default', model_spend: '{"m": 1}' },
      { key_alias: 'c', key_type: null },
    ],
  })
  expect(said).not.toMatch(/key_type|total_spend|model_spend/)
  expect(plan.keys.map(({ isActive }) => isActive)).toEqual([true, true, true])
})

test('keys that manage the proxy are imported disabled, since here they would call models', async () => {
  const { plan, said } = await planOf({
    keys: [
      { key_alias: 'a', key_type: 'management' },
      { key_alias: 'b', key_type: 'read_only' },
    ],
  })
  expect(plan.keys.map(({ isActive }) => isActive)).toEqual([false, false])
  expect(said).toContain('are for managing the proxy, and call no model')
})

test('who may only look there gets no plan that pays, unless keys of theirs call models', async () => {
  const viewer = { user_role: 'internal_user_viewer' }
  const { plan, said } = await planOf({
    users: [{ user_id: 'looks', ...viewer }, { user_id: 'calls', ...viewer }, { user_id: 'plain' }],
    keys: [{ key_alias: 'a', user_id: 'calls' }],
  })
  expect(plan.subscriptions.map(({ accountId }) => accountId).sort()).toEqual(['user:calls', 'user:plain'])
  expect(said).toContain('litellm_usertable looks: may only look there, and have neither a key nor a budget')
  expect(said).toContain('it pays for every model of the group default here')
})

test('a list of models that a user has is named, since it is part of keys here and of no account', async () => {
  const { said } = await planOf({ users: [{ user_id: 'few', models: '{m}' }], keys: [{ key_alias: 'a' }] })
  expect(said).toContain('litellm_usertable few: have a list of models, which holds for the keys that are imported')
  expect(said).not.toContain('litellm_usertable ann: have a list')
})
