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

test('the calculator takes no prices that a model cannot have', async () => {
  expect(await calculated({ price: {} })).toMatchObject({ status: 422 })
  const tiers = [
    { above_input_tokens: 5, input: '1' },
    { above_input_tokens: 5, input: '1' },
  ]
  expect(await calculated({ price: { input: '1', output: '1', tiers } })).toMatchObject({ status: 422 })
  expect((await calculated({ multiplier: '999999' })).body.field).toBe('multiplier')
})
