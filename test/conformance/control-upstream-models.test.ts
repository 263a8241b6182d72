import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UpstreamModelList } from '../../src/control/parts.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const GOOD = {
  isGood: true,
  status: 200,
  totalMs: 5,
  result: 'listed',
  said: null,
  detail: 'It answered with its list of models.',
} as const

describe.each(ENGINES_ABOVE_STORES)('the models at an upstream beside those here, on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  let list: UpstreamModelList
  let id = ''

  beforeAll(async () => {
    control = await controlUnderTest({ engine, listUpstreamModels: async () => list })
    admin = await control.account({ role: 'admin' })
    const body = { name: 'main', protocol: 'openai', base_url: 'https://api.example.test/v1' }
    id = (await admin.ask('POST', '/api/upstreams', body)).body.id
    await admin.ask('POST', '/api/upstreams', { ...body, name: 'other' })
    const put = (name: string, targets: readonly object[]) => admin.ask('POST', '/api/models', { name, targets })
    await put('kept', [{ upstream: 'main', model: 'kept-there' }])
    await put('kept-too', [{ upstream: 'main', model: 'kept-there' }])
    await put('withdrawn', [{ upstream: 'main', model: 'old' }])
    await put('elsewhere', [{ upstream: 'other', model: 'fresh' }])
    list = { ...GOOD, listed: { names: ['fresh', 'kept-there', 'newer'], isWhole: true } }
  })
  afterAll(() => control.close())

  const compared = async () => (await admin.ask('POST', `/api/upstreams/${id}/models`)).body
  const statesOf = async () => {
    const { data } = await compared()
    return data.map(({ model, state }: { model: string; state: string }) => `${model} ${state}`)
  }
  const ignore = (models: readonly string[], ignored: boolean) =>
    admin.ask('POST', `/api/upstreams/${id}/ignored-models`, { models, ignored })

  test('say what is new there, what is gone, and which models here are served by the rest', async () => {
    expect(await compared()).toMatchObject({
      ok: true,
      whole: true,
      data: [
        { model: 'fresh', state: 'new', models: [] },
        { model: 'newer', state: 'new', models: [] },
        { model: 'old', state: 'gone', models: ['withdrawn'] },
        { model: 'kept-there', state: 'served', models: ['kept', 'kept-too'] },
      ],
    })
  })

  test('say of nothing that it is gone where the list goes on', async () => {
    list = { ...GOOD, listed: { names: ['kept-there'], isWhole: false } }
    expect(await statesOf()).toEqual(['kept-there served'])
    list = { ...GOOD, listed: { names: ['fresh', 'kept-there', 'newer'], isWhole: true } }
  })

  test('leave out what is ignored until it is offered again, both in the audit once', async () => {
    expect((await ignore(['fresh'], true)).body).toEqual({ models: ['fresh'] })
    await ignore(['fresh'], true)
    expect(await statesOf()).toEqual(['newer new', 'old gone', 'kept-there served', 'fresh ignored'])
    expect((await ignore(['fresh', 'newer'], false)).body).toEqual({ models: [] })
    expect(await statesOf()).toContain('fresh new')
    const { data } = (await admin.ask('GET', `/api/audit?action=upstream.ignore_models&subject=${id}`)).body
    expect(data.map(({ changes }: { changes: object }) => changes)).toEqual(
      expect.arrayContaining([
        { ignored_models: { before: ['fresh'], after: null } },
        { ignored_models: { before: null, after: ['fresh'] } },
      ]),
    )
    expect(data).toHaveLength(2)
  })

  test('are unknown where the upstream does not answer with a list, which says why', async () => {
    list = {
      isGood: false,
      status: 401,
      totalMs: 5,
      result: 'credential_refused',
      said: null,
      detail: 'It refused the credential.',
      listed: null,
    }
    expect(await compared()).toMatchObject({
      ok: false,
      status: 401,
      result: 'credential_refused',
      detail: list.detail,
      whole: false,
      data: [],
    })
  })
})
