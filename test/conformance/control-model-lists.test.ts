import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lookAtUpstreamModels } from '../../src/app/server/check-upstream.ts'
import { checkModels } from '../../src/control/scheduled/model-checks.ts'
import { createLogger } from '../../src/core/log.ts'
import type { CredentialInUse, UpstreamInUse } from '../../src/gateway/snapshot.ts'
import { UpstreamHealth } from '../../src/routing/upstream-health.ts'
import { HttpUpstream } from '../../src/upstreams/http-upstream.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const DAY_MS = 86_400_000

describe.each(ENGINES_ABOVE_STORES)('the daily look at the models that upstreams list, on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  let server: Server
  let client: HttpUpstream
  let id = ''
  let asked = 0
  let status = 200
  let names: readonly string[] = []
  let pool: readonly CredentialInUse[] = []

  beforeAll(async () => {
    server = createServer((_, response) => {
      asked += 1
      response.writeHead(status).end(JSON.stringify({ data: names.map((name) => ({ id: name })) }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    client = new HttpUpstream({ baseUrl, headers: {}, connectTimeoutMs: 1_000, maxConcurrency: null })
    control = await controlUnderTest({ engine })
    admin = await control.account({ role: 'admin' })
    const wish = { name: 'main', protocol: 'openai', base_url: baseUrl }
    id = (await admin.ask('POST', '/api/upstreams', wish)).body.id
    const model = { name: 'kept', price: { input: '1', output: '2' } }
    await admin.ask('POST', '/api/models', { ...model, targets: [{ upstream: 'main', model: 'kept-there' }] })
  })
  afterAll(async () => {
    await client.close()
    server.closeAllConnections()
    await Promise.all([control.close(), new Promise((resolve) => server.close(resolve))])
  })
  beforeEach(() => {
    asked = 0
    status = 200
    pool = [inUse({})]
  })

  const inUse = ({ isDisabled = false, held = null as object | null, pause = null as 'expired' | null }) =>
    ({
      client,
      isDisabled,
      health: { held, use: { pause: () => pause }, answered: () => expect.unreachable('it was not tested') },
    }) as unknown as CredentialInUse

  /** Looks as a node does every minute. */
  const looks = async () => {
    const upstreams = await control.store.catalog.upstreams()
    const upstreamsById = new Map(
      upstreams.map((upstream): [string, UpstreamInUse] => [
        upstream.id,
        { upstream, client, pool, health: new UpstreamHealth(Math.random), secrets: [] },
      ]),
    )
    const { store, clock } = control
    const lookAt = (upstreamId: string) => lookAtUpstreamModels(upstreamsById.get(upstreamId), clock)
    await checkModels({ store, clock, lookAt, log: createLogger('silent') })
  }
  const nextDay = async (listed: readonly string[]) => {
    names = listed
    control.clock.advance(DAY_MS)
    await looks()
  }
  const items = async () => {
    const { data } = (await admin.ask('GET', '/api/attention')).body
    const ofLists = data.filter(({ kind }: { readonly kind: string }) => kind.startsWith('models_'))
    return ofLists.map((item: { kind: string; listed: { names: readonly string[] } }) => [item.kind, item.listed.names])
  }
  const ofUpstream = async () => {
    const { data } = (await admin.ask('GET', '/api/upstreams/status')).body
    return data[0].model_list
  }
  const setting = (check_models: boolean) => admin.ask('PATCH', '/api/settings', { check_models })

  test('is not taken while the setting is off, as it is at first', async () => {
    names = ['kept-there', 'usual']
    await looks()
    expect(asked).toBe(0)
    expect(await ofUpstream()).toBeNull()
  })

  test('is taken once a day at most, and at first names nothing', async () => {
    await setting(true)
    await looks()
    await looks()
    control.clock.advance(DAY_MS - 1_000)
    await looks()
    expect(asked).toBe(1)
    expect(await items()).toEqual([])
    expect(await ofUpstream()).toMatchObject({ result: 'listed', added: [], gone: [] })
  })

  test('names what came and what went, until it is added or ignored, or no longer served', async () => {
    await nextDay(['fresh', 'fresher', 'usual'])
    expect(await items()).toEqual([
      ['models_gone', ['kept-there']],
      ['models_added', ['fresh', 'fresher']],
    ])
    expect(await ofUpstream()).toMatchObject({ added: ['fresh', 'fresher'], gone: ['kept-there'] })
    await admin.ask('POST', `/api/upstreams/${id}/ignored-models`, { models: ['fresher'], ignored: true })
    const { id: model } = (await admin.ask('GET', '/api/models?search=kept')).body.data[0]
    await admin.ask('PATCH', `/api/models/${model}`, { targets: [{ upstream: 'main', model: 'fresh' }] })
    expect(await items()).toEqual([])
    expect(await ofUpstream()).toMatchObject({ added: [], gone: [] })
  })

  test('keeps what it found where the upstream refuses, and says that it does', async () => {
    await nextDay(['fresh', 'fresher', 'usual', 'last'])
    status = 500
    await nextDay([])
    expect(await ofUpstream()).toMatchObject({ result: 'status', added: ['last'], gone: [] })
    expect(await items()).toEqual([['models_added', ['last']]])
  })

  test('keeps it as well where a list has no models at all', async () => {
    await nextDay([])
    expect(await ofUpstream()).toMatchObject({ result: 'listed', added: ['last'], gone: [] })
    await nextDay(['fresh', 'fresher', 'usual', 'last'])
    expect(await items()).toEqual([['models_added', ['last']]])
  })

  test('says nothing of another address until it has been asked', async () => {
    const { body: upstream } = await admin.ask('GET', `/api/upstreams/${id}`)
    await admin.ask('PATCH', `/api/upstreams/${id}`, { base_url: 'https://other.test/v1' })
    expect(await ofUpstream()).toMatchObject({ added: [], gone: [] })
    expect(await items()).toEqual([])
    await admin.ask('PATCH', `/api/upstreams/${id}`, { base_url: upstream.base_url })
    expect(await items()).toEqual([['models_added', ['last']]])
  })

  test('asks with no credential that is disabled, refused or expired, and says nothing good of the one that it asks with', async () => {
    pool = [inUse({ isDisabled: true }), inUse({ held: { because: 'credential' } }), inUse({ pause: 'expired' })]
    await nextDay(['usual'])
    expect(asked).toBe(0)
    pool = [...pool, inUse({})]
    await looks()
    expect(asked).toBe(1)
  })

  test('is forgotten with its upstream, and not shown while the setting is off', async () => {
    await nextDay(['usual'])
    expect(await items()).toEqual([['models_gone', ['fresh']]])
    await setting(false)
    expect(await items()).toEqual([])
    await setting(true)
    const { id: model } = (await admin.ask('GET', '/api/models?search=kept')).body.data[0]
    await admin.ask('PATCH', `/api/models/${model}`, { targets: [] })
    expect((await admin.ask('DELETE', `/api/upstreams/${id}`)).status).toBe(204)
    await looks()
    expect(await control.store.listedModels.standings()).toEqual([])
  })
})
