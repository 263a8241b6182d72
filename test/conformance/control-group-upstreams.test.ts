import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

let control: ControlUnderTest
let admin: Asker
beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
})
afterAll(() => control.close())

test('staff read of a group which upstreams its requests may go to, by the groups of targets; users read none', async () => {
  for (const name of ['one', 'two']) {
    await admin.ask('POST', '/api/upstreams', { name, protocol: 'openai', base_url: 'https://api.example.test/v1' })
  }
  const [open, apart, other] = [await control.group('open'), await control.group('apart'), await control.group('other')]
  const targets = [
    { upstream: 'two', model: 'm', groups: ['apart'] },
    { upstream: 'one', model: 'm' },
  ]
  await admin.ask('POST', '/api/models', { name: 'm', price: { input: '1', output: '1' }, targets })
  // Without a price it is not served.
  await admin.ask('POST', '/api/upstreams', { name: 'three', protocol: 'openai', base_url: 'https://three.test/v1' })
  await admin.ask('POST', '/api/models', { name: 'unpriced', targets: [{ upstream: 'three', model: 'm' }] })
  await admin.ask('PATCH', `/api/groups/${other}`, { models: [] })
  const upstreamsOf = async (asker: Asker, id: string) => (await asker.ask('GET', `/api/groups/${id}`)).body.upstreams
  expect(await upstreamsOf(admin, open)).toEqual(['one'])
  expect(await upstreamsOf(admin, apart)).toEqual(['one', 'two'])
  expect(await upstreamsOf(admin, other)).toEqual([])
  const user = await control.account()
  expect(await upstreamsOf(user, apart)).toBeNull()
})
