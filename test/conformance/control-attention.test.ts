import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { newId } from '../../src/core/ids.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { aSettlement } from './store-fixtures.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe.each(ENGINES_ABOVE_STORES)('what needs an admin, on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    admin = await control.account({ role: 'admin' })
    // Without a target, which is a thing to do.
    for (const name of ['one', 'two']) {
      await admin.ask('POST', '/api/models', { name, price: { input: '1', output: '2' } })
    }
    await control.group('default')
  })
  afterAll(() => control.close())

  const read = async () => (await admin.ask('GET', '/api/attention')).body
  const of = async (model: string) => {
    const { data, snoozed } = await read()
    const named = (each: { readonly model: string }) => each.model === model
    return { listed: data.find(named), snoozed: snoozed.find(named) }
  }

  test('an item says since when it is listed where nothing else says it, and begins anew once it was healed', async () => {
    const { since } = (await of('one')).listed
    expect(Date.parse(since)).toBe(control.clock.now())
    control.clock.advance(HOUR_MS)
    expect((await of('one')).listed.since).toBe(since)
    const models = (await admin.ask('GET', '/api/models')).body.data
    const { id } = models.find(({ name }: { readonly name: string }) => name === 'one')
    const body = { name: 'one', price: { input: '1', output: '2' } }
    await admin.ask('DELETE', `/api/models/${id}`)
    expect((await of('one')).listed).toBeUndefined()
    await admin.ask('POST', '/api/models', body)
    expect((await of('one')).listed.since).not.toBe(since)
  })

  test('a snoozed item is out of the list until its time is over, is back by itself, and the audit has who and why', async () => {
    const { id, detail } = (await of('two')).listed
    const answer = await admin.ask('POST', '/api/attention/snooze', { items: [id], hours: 2, reason: 'It is new' })
    expect(answer).toMatchObject({ status: 200, body: { items: [id] } })
    const { listed, snoozed } = await of('two')
    expect(listed).toBeUndefined()
    expect(snoozed).toMatchObject({ id, snoozed: { reason: 'It is new', until: answer.body.until } })
    const [entry] = (await admin.ask('GET', '/api/audit?action=attention.snooze')).body.data
    expect(entry).toMatchObject({
      subject: 'no_target',
      changes: { item: { after: detail }, reason: { after: 'It is new' }, until: { after: answer.body.until } },
    })
    control.clock.advance(2 * HOUR_MS - 1)
    expect((await of('two')).listed).toBeUndefined()
    control.clock.advance(1)
    expect((await of('two')).listed).toMatchObject({ id })
    expect((await of('two')).snoozed).toBeUndefined()
  })

  test('a snooze can be ended before its time, once, which the audit has as well', async () => {
    const { id } = (await of('two')).listed
    await admin.ask('POST', '/api/attention/snooze', { items: [id], hours: 720, reason: 'Later' })
    expect((await of('two')).listed).toBeUndefined()
    for (let time = 0; time < 2; time++) await admin.ask('POST', '/api/attention/wake', { items: [id] })
    expect((await of('two')).listed).toMatchObject({ id })
    expect((await admin.ask('GET', '/api/audit?action=attention.wake')).body.data).toHaveLength(1)
  })

  test('only what is listed can be snoozed, for 1 to 720 hours, with a reason', async () => {
    const { id } = (await of('two')).listed
    const snooze = (over: object) =>
      admin.ask('POST', '/api/attention/snooze', { items: [id], hours: 1, reason: 'why', ...over })
    expect(await snooze({ items: ['another'] })).toMatchObject({ status: 404 })
    for (const over of [{ hours: 721 }, { hours: 0 }, { reason: ' ' }, { items: [] }]) {
      expect(await snooze(over)).toMatchObject({ status: 422 })
    }
    const auditor = await control.account({ role: 'auditor' })
    expect(await auditor.ask('POST', '/api/attention/snooze', { items: [id], hours: 1, reason: 'why' })).toMatchObject({
      status: 403,
    })
  })

  test('five models behind one dead host are one item with its upstream, which goes once they are answered again', async () => {
    const ada = await control.account({ balance: '10' })
    const upstream = { name: 'gone', protocol: 'openai-chat', base_url: 'http://127.0.0.1:1/v1', credential: 'x' }
    const { id } = (await admin.ask('POST', '/api/upstreams', upstream)).body
    const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `behind-${letter}`)
    for (const name of names) {
      const targets = [{ upstream: 'gone', model: name }]
      await admin.ask('POST', '/api/models', { name, price: { input: '1', output: '2' }, targets })
    }
    const settled = (models: readonly string[], count: number, record: Partial<UsageRecord>) =>
      control.store.settlements.settle(
        models.flatMap((model) =>
          Array.from({ length: count }, (_, at) => {
            const createdAt = control.clock.now() - 1_000 + at
            const about = { id: newId('req', createdAt), createdAt, model, upstreamName: 'gone', ...record }
            return aSettlement(ada.account.id, 10n, { record: about })
          }),
        ),
      )
    await settled(names, 6, { outcome: 'failed', fault: 'upstream_unavailable', attempts: [REFUSED] })
    const failing = async () =>
      (await read()).data.filter(({ kind }: { readonly kind: string }) => kind === 'model_failing')
    expect(await failing()).toMatchObject([
      {
        model: null,
        upstream: { id, name: 'gone' },
        why: 'connection_refused',
        listed: { count: 5, names },
        severity: 'bad',
      },
    ])
    const [{ since, failed }] = await failing()
    expect([Date.parse(since), failed]).toEqual([control.clock.now() - 1_000, 30])
    control.clock.advance(HOUR_MS / 2)
    expect(await failing()).toHaveLength(1)
    await settled(names.slice(0, 3), 2, { outcome: 'refused', fault: 'request_invalid' })
    expect(await failing()).toHaveLength(1)
    await settled(names.slice(0, 3), 2, {})
    expect(await failing()).toEqual([])
    // Down once more, and answered right after: the item stays until ten minutes after the last failure.
    control.clock.advance(HOUR_MS)
    await settled(names, 6, { outcome: 'failed', fault: 'upstream_unavailable', attempts: [REFUSED] })
    control.clock.advance(5_000)
    await settled(names, 20, {})
    control.clock.advance(9 * MINUTE_MS)
    expect(await failing()).toMatchObject([{ upstream: { id }, failed: 30, since: expect.not.stringContaining(since) }])
    control.clock.advance(MINUTE_MS)
    expect(await failing()).toEqual([])
  })
})

/** A request that nothing answered. */
const REFUSED = {
  upstreamName: 'gone',
  model: 'm',
  fault: 'upstream_unavailable',
  status: null,
  totalMs: 1,
  why: 'connection_refused',
} as const
