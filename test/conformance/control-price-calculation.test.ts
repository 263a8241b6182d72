import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

let control: ControlUnderTest
let admin: Asker
beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
})
afterAll(() => control.close())

const price = {
  input: '2',
  output: '8',
  tiers: [{ above_input_tokens: 200_000, input: '4', output: '12' }],
  service_tiers: { priority: { factor: '2' } },
  per_call: { web_search: '0.01' },
}
const calculated = (more: object) => admin.ask('POST', '/api/prices/calculate', { price, ...more })

test('the calculator prints the lines of a receipt, by length, class of service, calls and group', async () => {
  const { body } = await calculated({ tokens: { input: 100_000, output: 1000 } })
  expect(body).toMatchObject({ cost: '0.208', service_tier: null, above_input_tokens: null })
  const long = await calculated({
    tokens: { input: 300_000, output: 2000 },
    calls: { web_search: 2 },
    service_tier: 'priority',
    multiplier: '0.5',
  })
  expect(long.body).toMatchObject({ service_tier: 'priority', above_input_tokens: 200_000, cost: '1.234' })
  expect(long.body.price_lines).toMatchObject([
    { kind: 'input', count: 300_000, price: '8', multiplier: '0.5' },
    { kind: 'output', count: 2000, price: '24' },
    { kind: 'web_search', count: 2, per: 1, price: '0.01' },
  ])
})

test('the calculator has reasoning at its own price, beside the rest of the output', async () => {
  const thinking = {
    ...price,
    reasoning_output: '20',
    tiers: [{ above_input_tokens: 200_000, input: '4', output: '12', reasoning_output: '30' }],
  }
  const { body } = await calculated({ price: thinking, tokens: { output: 1000, reasoning_output: 500 } })
  expect(body).toMatchObject({ cost: '0.018' })
  expect(body.price_lines).toMatchObject([
    { kind: 'output', count: 1000, price: '8' },
    { kind: 'reasoning_output', count: 500, price: '20' },
  ])
  const long = await calculated({
    price: thinking,
    tokens: { input: 300_000, output: 1000, reasoning_output: 500 },
    service_tier: 'priority',
  })
  expect(long.body).toMatchObject({ cost: '2.454' })
  const cheaper = {
    ...thinking,
    tiers: [{ above_input_tokens: 200_000, input: '4', output: '12', reasoning_output: '19' }],
  }
  expect((await calculated({ price: cheaper })).body.field).toBe('price.tiers.0.reasoning_output')
})

test('the calculator takes no prices that a model cannot have', async () => {
  expect(await calculated({ price: {} })).toMatchObject({ status: 422 })
  const tiers = [
    { above_input_tokens: 5, input: '1' },
    { above_input_tokens: 5, input: '1' },
  ]
  expect(await calculated({ price: { input: '1', output: '1', tiers } })).toMatchObject({ status: 422 })
  expect((await calculated({ multiplier: '999999' })).body.field).toBe('multiplier')
})
