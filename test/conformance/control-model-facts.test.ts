import { afterAll, beforeAll, expect, test } from 'vitest'
import { FACT_NAMES } from '../../src/models/facts.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

// What a model takes at each of its targets, as staff read it, and the rules that admins set in its place.

let control: ControlUnderTest
let admin: Asker
beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
  for (const protocol of ['openai', 'anthropic', 'gemini', 'openai-chat']) {
    const body = { name: protocol, protocol, base_url: `https://${protocol}.example.test` }
    expect((await admin.ask('POST', '/api/upstreams', body)).status).toBe(201)
  }
})
afterAll(() => control.close())

let names = 0
async function aModel(over: object) {
  const price = { input: '1', output: '2' }
  const answer = await admin.ask('POST', '/api/models', { name: `facts-${++names}`, price, ...over })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

interface FactOfTarget {
  readonly name: string
  readonly shipped: unknown
  readonly source: unknown
  readonly rule_of_model: unknown
  readonly rule_of_target: unknown
  readonly value: unknown
}

async function factsOf(id: string, target = 0): Promise<Readonly<Record<string, FactOfTarget>>> {
  const { status, body } = await admin.ask('GET', `/api/models/${id}/facts`)
  expect(status).toBe(200)
  const facts: readonly FactOfTarget[] = body.targets[target].facts
  expect(facts.map(({ name }) => name)).toEqual(FACT_NAMES)
  return Object.fromEntries(facts.map((fact) => [fact.name, fact]))
}

test('every fact of every target has its shipped value, where that is from, the rules and what is in force', async () => {
  const model = await aModel({
    rules: { temperature: 'refused', stops: 2 },
    targets: [
      { upstream: 'openai', model: 'o3', rules: { temperature: 'taken' } },
      { upstream: 'anthropic', model: 'prod', fields_like: 'claude-opus-4-6' },
      { upstream: 'gemini', model: 'house-model' },
    ],
  })
  const { body } = await admin.ask('GET', `/api/models/${model.id}/facts`)
  expect(body).toMatchObject({ name: model.name, version: model.version })
  expect(body.facts.map(({ name }: FactOfTarget) => name)).toEqual(FACT_NAMES)
  expect(body.facts).toContainEqual({
    name: 'temperature',
    means: '`temperature`',
    kind: 'word',
    words: ['taken', 'not_while_reasoning', 'refused'],
  })
  expect(body.facts).toContainEqual(expect.objectContaining({ name: 'stops', kind: 'number', least: 0, most: 1e9 }))
  expect(body.targets).toMatchObject([
    {
      upstream: 'openai',
      model: 'o3',
      fields_like: null,
      maker: 'OpenAI',
      protocol: 'openai',
      wire: 'openai-responses',
    },
    { model: 'prod', fields_like: 'claude-opus-4-6', maker: 'Anthropic', wire: 'anthropic-messages' },
    { model: 'house-model', family: null, maker: null, protocol: 'gemini', wire: 'gemini' },
  ])
  expect((await factsOf(model.id))['temperature']).toEqual({
    name: 'temperature',
    shipped: 'not_while_reasoning',
    source: { from: expect.stringMatching(/./), at: expect.stringMatching(/^20\d\d-\d\d$/) },
    rule_of_model: 'refused',
    rule_of_target: 'taken',
    value: 'taken',
  })
  const claude = await factsOf(model.id, 1)
  expect(claude['temperature']).toMatchObject({ rule_of_model: 'refused', rule_of_target: null, value: 'refused' })
  const unknown = await factsOf(model.id, 2)
  expect(unknown['stops']).toMatchObject({ shipped: 5, source: null, rule_of_model: 2, value: 2 })
  expect(unknown['seed']).toMatchObject({ shipped: 'taken', source: null, rule_of_model: null, value: 'taken' })
})

test('a rule is set, corrected and taken back, for the model and for a target; others stay', async () => {
  const target = { upstream: 'openai-chat', model: 'm' }
  const model = await aModel({ targets: [target] })
  expect(model).toMatchObject({ rules: {}, targets: [{ rules: {} }] })
  const path = `/api/models/${model.id}`
  const set = await admin.ask('PATCH', path, {
    rules: { efforts: ['high', 'low', 'low'], choices: false },
    targets: [{ ...target, rules: { most_output: 4096 } }],
  })
  expect(set.status, set.text).toBe(200)
  expect(set.body).toMatchObject({
    rules: { efforts: ['low', 'high'], choices: false },
    targets: [{ rules: { most_output: 4096 } }],
  })
  expect(set.body.version).not.toBe(model.version)
  expect((await factsOf(model.id))['efforts']).toMatchObject({ value: ['low', 'high'] })
  expect((await admin.ask('PATCH', path, { recommended: true })).body).toMatchObject({ rules: set.body.rules })
  const back = await admin.ask('PATCH', path, { rules: { choices: false }, targets: [target] })
  expect(back.body).toMatchObject({ rules: { choices: false }, targets: [{ rules: {} }] })
  expect((await factsOf(model.id))['efforts']).toMatchObject({ rule_of_model: null, value: ['low', 'medium', 'high'] })
  expect((await admin.ask('PATCH', path, { rules: {} })).body.rules).toEqual({})
  const { body: audit } = await admin.ask('GET', `/api/audit?subject=${model.id}`)
  expect(audit.data[0].changes).toHaveProperty('rules')
})

test.for([
  ['rules.colour', { rules: { colour: 'red' } }],
  ['rules.temperature', { rules: { temperature: 'sometimes' } }],
  ['rules.temperature', { rules: { temperature: true } }],
  ['rules.choices', { rules: { choices: 'no' } }],
  ['rules.stops', { rules: { stops: -1 } }],
  ['rules.stops', { rules: { stops: 1.5 } }],
  ['rules.stops', { rules: { stops: 1_000_000_001 } }],
  ['rules.stops', { rules: { stops: null } }],
  ['rules.temperature_most', { rules: { temperature_most: 2.1 } }],
  ['rules.efforts.1', { rules: { efforts: ['low', 'huge'] } }],
  ['rules.efforts', { rules: { efforts: Array.from({ length: 8 }, () => 'low') } }],
  ['rules', { rules: null }],
  ['rules', { rules: ['temperature'] }],
  ['targets.0.rules.format', { targets: [{ upstream: 'openai', model: 'm', rules: { format: 'xml' } }] }],
  ['targets.0.rules.heat', { targets: [{ upstream: 'openai', model: 'm', rules: { heat: 1 } }] }],
] as const)('what cannot be a rule is refused by its field: %s', async ([field, body]) => {
  const model = await aModel({})
  const refused = await admin.ask('PATCH', `/api/models/${model.id}`, body)
  expect(refused, refused.text).toMatchObject({ status: 422, body: { field } })
  expect((await admin.ask('GET', `/api/models/${model.id}`)).body).toMatchObject({ rules: {}, version: model.version })
})

test('an edit of an older version of the model is refused, and the rule that it did not know of stays', async () => {
  const model = await aModel({})
  const path = `/api/models/${model.id}`
  const match = { 'if-match': `"${model.version}"` }
  expect((await admin.ask('PATCH', path, { rules: { seed: 'refused' } }, match)).status).toBe(200)
  const late = await admin.ask('PATCH', path, { rules: { top_k: 'refused' } }, match)
  expect(late.status).toBe(412)
  expect((await admin.ask('GET', path)).body.rules).toEqual({ seed: 'refused' })
})

test('staff read what a model takes, and who may change the catalogue sets it', async () => {
  const model = await aModel({})
  const path = `/api/models/${model.id}`
  const rules = { seed: 'refused' }
  for (const [role, mayRead, maySet] of [
    ['user', 403, 403],
    ['auditor', 200, 403],
    ['finance', 200, 403],
    ['operator', 200, 200],
  ] as const) {
    const asker = await control.account({ role })
    expect((await asker.ask('GET', `${path}/facts`)).status, role).toBe(mayRead)
    expect((await asker.ask('PATCH', path, { rules })).status, role).toBe(maySet)
  }
  expect((await admin.ask('GET', '/api/models/mdl_none/facts')).status).toBe(404)
})
