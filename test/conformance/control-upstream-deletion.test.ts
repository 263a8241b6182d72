import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

let control: ControlUnderTest
let admin: Asker
beforeAll(async () => {
  control = await controlUnderTest({})
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

const anUpstream = (over: object = {}) =>
  made('/api/upstreams', {
    name: newName('upstream'),
    protocol: 'openai',
    base_url: 'https://api.example.test/v1',
    credential: 'a-credential-of-tests',
    ...over,
  })

interface Named {
  readonly name: string
}

const aModel = (...at: readonly Named[]) =>
  made('/api/models', {
    name: newName('model'),
    price: { input: '1', output: '2' },
    targets: at.map(({ name: upstream }) => ({ upstream, model: 'x', weight: 3 })),
  })

async function read(path: string) {
  const { status, body } = await admin.ask('GET', path)
  return status === 200 ? body : status
}

describe('an upstream with models is deleted', () => {
  test('with the models that have no other target, which groups lose; others keep their other targets', async () => {
    const [gone, stays] = [await anUpstream(), await anUpstream()]
    const [alone, both, other] = [await aModel(gone), await aModel(gone, stays), await aModel(stays)]
    const group = await made('/api/groups', { name: newName('group'), models: [alone.name, both.name, other.name] })
    const refused = await admin.ask('DELETE', `/api/upstreams/${gone.id}`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect((await admin.ask('DELETE', `/api/upstreams/${gone.id}?models=delete`)).status).toBe(204)
    expect(await read(`/api/upstreams/${gone.id}`)).toBe(404)
    expect(await read(`/api/models/${alone.id}`)).toBe(404)
    expect((await read(`/api/models/${both.id}`)).targets).toMatchObject([{ upstream: stays.name, weight: 3 }])
    expect((await read(`/api/groups/${group.id}`)).models).toEqual([both.name, other.name])
    const audited = async (id: string) =>
      (await read(`/api/audit?subject=${id}`)).data.map(({ action }: { readonly action: string }) => action)
    expect(await audited(gone.id)).toContain('upstream.delete')
    expect(await audited(alone.id)).toContain('model.delete')
    expect(await audited(both.id)).toContain('model.update')
    expect(await audited(other.id)).not.toContain('model.update')
  })

  test('and models without another target are kept without one', async () => {
    const gone = await anUpstream()
    const alone = await aModel(gone)
    expect((await admin.ask('DELETE', `/api/upstreams/${gone.id}?models=keep`)).status).toBe(204)
    expect(await read(`/api/models/${alone.id}`)).toMatchObject({ targets: [], price: { input: '1' } })
  })

  test('and its targets move to another upstream, none of them twice', async () => {
    const [gone, next] = [await anUpstream(), await anUpstream()]
    const [alone, both] = [await aModel(gone), await aModel(gone, next)]
    expect((await admin.ask('DELETE', `/api/upstreams/${gone.id}?models=move&to=${next.id}`)).status).toBe(204)
    for (const { id } of [alone, both]) {
      expect((await read(`/api/models/${id}`)).targets).toMatchObject([{ upstream: next.name, model: 'x', weight: 3 }])
    }
  })

  test.for([
    ['models=move', 'to'],
    ['models=move&to=ups_none', 'to'],
    ['to=ups_none', 'to'],
    ['models=burn', 'models'],
  ] as const)('not by %s', async ([query, field]) => {
    const upstream = await anUpstream()
    const model = await aModel(upstream)
    const answer = await admin.ask('DELETE', `/api/upstreams/${upstream.id}?${query}`)
    expect(answer).toMatchObject({ status: 422, body: { field } })
    expect((await read(`/api/models/${model.id}`)).targets).toMatchObject([{ upstream: upstream.name }])
  })

  test('not while one of its models cannot be changed or moved, and then nothing is done', async () => {
    const [upstream, gemini] = [await anUpstream(), await anUpstream({ protocol: 'gemini' })]
    const [first, images] = [await aModel(upstream), await aModel(upstream)]
    const changed = await admin.ask('PATCH', `/api/models/${images.id}`, { endpoints: ['openai-images'] })
    expect(changed.status, changed.text).toBe(200)
    const path = `/api/upstreams/${upstream.id}`
    const unfit = await admin.ask('DELETE', `${path}?models=move&to=${gemini.id}`)
    expect(unfit).toMatchObject({ status: 422, body: { field: 'to' } })
    const stored = (await control.store.catalog.models()).find(({ id }) => id === images.id)
    if (stored === undefined) throw new Error('the model is not stored')
    await control.store.catalog.putModel({ ...stored, isManaged: true })
    for (const models of ['delete', 'keep', `move&to=${gemini.id}`]) {
      const answer = await admin.ask('DELETE', `${path}?models=${models}`)
      expect(answer, models).toMatchObject({ status: 409, body: { code: 'in_use' } })
      expect(answer.body.detail).toContain(images.name)
    }
    expect((await read(`/api/models/${first.id}`)).targets).toMatchObject([{ upstream: upstream.name }])
    expect((await read(path)).models).toEqual([first.name, images.name])
  })
})
