import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

// The targets of models, as an admin writes and reads them.

let control: ControlUnderTest
let admin: Asker
beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
})
afterAll(() => control.close())

let names = 0
const newName = (what: string) => `${what}-${++names}`

async function made(path: string, body: object) {
  const answer = await admin.ask('POST', path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const aGroup = () => made('/api/groups', { name: newName('group'), models: [] })

const anUpstream = () =>
  made('/api/upstreams', { name: newName('upstream'), protocol: 'openai', base_url: 'https://api.example.test/v1' })

const aModel = (over: object) =>
  made('/api/models', { name: newName('model'), price: { input: '2.50', output: '10' }, ...over })

test('a model whose targets are for other groups is seen and priced in those alone', async () => {
  const [group, other] = [await aGroup(), await aGroup()]
  const upstream = await anUpstream()
  const targets = [{ upstream: upstream.name, model: 'x', groups: [other.name] }]
  const unknown = await admin.ask('POST', '/api/models', {
    name: newName('bad'),
    targets: [{ ...targets[0], groups: [group.name, 'none such'] }],
  })
  expect(unknown).toMatchObject({ status: 422, body: { field: 'targets.0.groups.1' } })
  const model = await aModel({ targets })
  expect(model.targets).toEqual([{ ...targets[0], priority: 0, weight: 1 }])
  for (const { id } of [group, other]) await admin.ask('PATCH', `/api/groups/${id}`, { models: [model.name] })
  const { body } = await admin.ask('GET', `/api/models/${model.id}`)
  expect(body.groups.map(({ name }: { name: string }) => name)).toEqual([other.name])
  await admin.ask('PATCH', `/api/groups/${other.id}`, { open: false })
  const user = await control.account()
  expect((await user.ask('GET', `/api/models/${model.id}`)).status).toBe(404)
  expect((await admin.ask('DELETE', `/api/groups/${other.id}`)).body.code).toBe('in_use')
  const opened = await admin.ask('PATCH', `/api/models/${model.id}`, { targets: [{ ...targets[0], groups: [] }] })
  expect(opened.body.targets[0].groups).toEqual([])
  expect((await user.ask('GET', `/api/models/${model.id}`)).status).toBe(200)
  expect((await admin.ask('DELETE', `/api/groups/${other.id}`)).status).toBe(204)
})
