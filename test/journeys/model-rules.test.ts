import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { ModelRules } from '../../src/models/facts.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// What an admin says that a model takes, in place of the table of models: requests are written by it.

let gateway: GatewayUnderTest
let secret: string
let models = 0
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  secret = (await gateway.key(await gateway.account({ balance: '100' }))).secret
})
afterAll(() => gateway.close())

/** A model with these rules at an upstream that speaks chat completions, and what arrives there. */
async function ruled(rules: { model?: ModelRules; target?: ModelRules }, fieldsLike?: string) {
  const arrived: unknown[] = []
  const answer = async (...[request, response]: Parameters<Script>) => {
    arrived.push(await json(request))
    well(request, response)
  }
  const upstream = await scriptedUpstream((request, response) => void answer(request, response))
  onTestFinished(() => upstream.close())
  const name = `ruled-${++models}`
  const more = { ...(rules.target && { rules: rules.target }), ...(fieldsLike !== undefined && { fieldsLike }) }
  await putModelOf(gateway.store, {
    name,
    targets: [{ port: upstream.port, settings: { protocol: 'openai-chat' }, more }],
    ...(rules.model && { serving: { rules: rules.model } }),
  })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${name}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return { name, arrived }
}

const messages = [{ role: 'user', content: 'hello' }]

/** Asks by Anthropic's protocol, so that the request is written anew for the upstream. */
async function ask(model: string) {
  const response = await fetch(`${gateway.origin}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 400, temperature: 0.5, top_p: 0.9, messages }),
  })
  await response.text()
  return { status: response.status, dropped: response.headers.get('x-tollgate-dropped-fields') }
}

test.for([
  {
    title: 'a rule of the target leaves a setting out of what the upstream gets, and names it',
    rules: { target: { temperature: 'refused' } },
    dropped: 'temperature',
    arrives: { temperature: undefined, top_p: 0.9 },
  },
  {
    title: 'so does a rule of the model, at each of its targets',
    rules: { model: { temperature: 'refused' } },
    dropped: 'temperature',
    arrives: { temperature: undefined, top_p: 0.9 },
  },
  {
    title: 'a rule of the target stands above one of the model, fact by fact',
    rules: { model: { temperature: 'refused', top_p: 'refused' }, target: { temperature: 'taken' } },
    dropped: 'top_p',
    arrives: { temperature: 0.5, top_p: undefined },
  },
  {
    title: 'a rule stands above what the table says of the family',
    rules: { target: { temperature: 'taken', top_p: 'taken', limit_field: 'max_tokens' } },
    like: 'o3',
    dropped: null,
    arrives: { temperature: 0.5, top_p: 0.9, max_tokens: 400, max_completion_tokens: undefined },
  },
  {
    title: 'a bound is one that a rule sets',
    rules: { model: { temperature_most: 0.2 } },
    dropped: 'temperature',
    arrives: { temperature: 0.2, top_p: 0.9 },
  },
] as const)('$title', async ({ rules, dropped, arrives, ...others }) => {
  const { name, arrived } = await ruled(rules, 'like' in others ? others.like : undefined)
  expect(await ask(name)).toEqual({ status: 200, dropped })
  for (const [field, value] of Object.entries(arrives)) {
    if (value === undefined) expect(arrived[0]).not.toHaveProperty(field)
    else expect(arrived[0]).toHaveProperty(field, value)
  }
})
