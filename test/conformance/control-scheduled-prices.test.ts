import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setDuePrices } from '../../src/control/scheduled/due-prices.ts'
import { newId } from '../../src/core/ids.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const HOUR_MS = 3_600_000

describe.each(ENGINES_ABOVE_STORES)('on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    admin = await control.account({ role: 'admin' })
    await control.group('standard')
  })
  afterAll(() => control.close())

  const aModel = async (name: string) => {
    const { body } = await admin.ask('POST', '/api/models', { name, price: { input: '1', output: '2' } })
    return body.id as string
  }
  const inHours = (hours: number) => new Date(control.clock.now() + hours * HOUR_MS).toISOString()
  const patch = (id: string, body: object, by = admin) => by.ask('PATCH', `/api/models/${id}`, body)
  const read = async (id: string) => (await admin.ask('GET', `/api/models/${id}`)).body
  /** Sets what is due, as every node does when it sees something. */
  const setDue = (ids: readonly string[]) =>
    setDuePrices(control.store, {
      ids,
      nowMs: control.clock.now(),
      newId: (prefix) => newId(prefix, control.clock.now()),
    })
  const audited = async (id: string) => (await admin.ask('GET', `/api/audit?subject=${id}`)).body.data

  test('a planned price waits for its time, takes effect once though two nodes try, and the audit says who planned it', async () => {
    const id = await aModel('planned')
    const at = inHours(1)
    const wish = { price: { input: '3', output: '4' }, context_tokens: 8_000, import_id: 'imp_12345678' }
    const { status, body } = await patch(id, { ...wish, effective_at: at })
    expect([status, body.price.input, body.context_tokens]).toEqual([200, '1', null])
    expect(body.scheduled).toMatchObject({ effective_at: at, context_tokens: 8_000, import_id: 'imp_12345678' })
    expect(body.scheduled).toMatchObject({ price: { input: '3', output: '4' }, by: admin.account?.id })
    expect(await setDue([id])).toEqual([])
    expect((await read(id)).price.input).toBe('1')
    control.clock.advance(HOUR_MS)
    const taken = (await Promise.all([setDue([id]), setDue([id])])).flat()
    expect(taken).toEqual([{ model: 'planned', outcome: 'set' }])
    const after = await read(id)
    expect([after.price.input, after.price.output, after.context_tokens, after.scheduled]).toEqual([
      '3',
      '4',
      8_000,
      null,
    ])
    const [effect, plan] = await audited(id)
    expect(effect).toMatchObject({ action: 'model.import', actor: admin.account?.id, via: 'none' })
    expect(effect.changes.price.after.input).toBe('3')
    expect(effect.changes.import_id.after).toBe('imp_12345678')
    expect([plan.action, plan.changes.price, plan.changes.scheduled.before]).toEqual(['model.update', undefined, null])
  })

  test('a later plan replaces the former one, a change for now leaves it, and null takes it away', async () => {
    const id = await aModel('replanned')
    await patch(id, { price: { input: '5', output: '5' }, effective_at: inHours(1) })
    await patch(id, { price: { input: '6', output: '6' }, effective_at: inHours(2) })
    expect((await patch(id, { price: { input: '1.5', output: '2' } })).body.scheduled.price.input).toBe('6')
    control.clock.advance(HOUR_MS)
    expect(await setDue([id])).toEqual([])
    expect((await patch(id, { scheduled: null })).body.scheduled).toBeNull()
    control.clock.advance(HOUR_MS)
    expect(await setDue([id])).toEqual([])
    expect((await read(id)).price.input).toBe('1.5')
  })

  test('what cannot be planned is refused, and nothing is changed', async () => {
    const id = await aModel('refused')
    const price = { input: '3', output: '4' }
    for (const [body, field] of [
      [{ price, effective_at: inHours(-1) }, 'effective_at'],
      [{ price, effective_at: inHours(24 * 400) }, 'effective_at'],
      [{ context_tokens: 1_000, effective_at: inHours(1) }, 'price'],
      [{ price, recommended: true, effective_at: inHours(1) }, 'recommended'],
      [{ price, scheduled: null, effective_at: inHours(1) }, 'scheduled'],
    ] as const) {
      expect((await patch(id, body)).body, JSON.stringify(body)).toMatchObject({ code: 'field_invalid', field })
    }
    expect((await read(id)).scheduled).toBeNull()
  })

  test('the role finance plans prices and no limits, and users do not see what is planned', async () => {
    const id = await aModel('by-finance')
    const finance = await control.account({ role: 'finance' })
    const price = { input: '3', output: '4' }
    const limits = await patch(id, { price, context_tokens: 5, effective_at: inHours(1) }, finance)
    expect(limits).toMatchObject({ status: 403, body: { field: 'context_tokens' } })
    expect((await patch(id, { price, effective_at: inHours(1) }, finance)).status).toBe(200)
    expect(await read(id)).toMatchObject({ scheduled: { by: finance.account?.id } })
    const upstream = { name: 'up', protocol: 'openai-chat', base_url: 'http://127.0.0.1:9/v1' }
    expect((await admin.ask('POST', '/api/upstreams', upstream)).status).toBe(201)
    expect((await patch(id, { targets: [{ upstream: 'up', model: 'm' }] })).status).toBe(200)
    const seen = await (await control.account()).ask('GET', `/api/models/${id}`)
    expect([seen.status, seen.body.price.input, 'scheduled' in seen.body]).toEqual([200, '1', false])
  })

  test('a price that a group has made too dear meanwhile is dropped, and the model keeps its own', async () => {
    const id = await aModel('too-dear')
    await patch(id, { price: { input: '1000000', output: '1000000' }, effective_at: inHours(1) })
    const groupId = await control.group('dear')
    expect((await admin.ask('PATCH', `/api/groups/${groupId}`, { multiplier: '10000' })).status).toBe(200)
    control.clock.advance(HOUR_MS)
    expect(await setDue([id])).toEqual([{ model: 'too-dear', outcome: 'too_dear' }])
    expect(await read(id)).toMatchObject({ price: { input: '1' }, scheduled: null })
    await admin.ask('DELETE', `/api/groups/${groupId}`)
  })

  test('a planned import leaves a price alone that was locked meanwhile, and is not audited as one', async () => {
    const id = await aModel('locked-since')
    const price = { input: '3', output: '4' }
    await patch(id, { price, import_id: 'imp_12345678', effective_at: inHours(1) })
    await patch(id, { price_locked: true })
    control.clock.advance(HOUR_MS)
    expect(await setDue([id])).toEqual([{ model: 'locked-since', outcome: 'locked' }])
    expect(await read(id)).toMatchObject({ price: { input: '1' }, scheduled: null })
    expect((await audited(id))[0]).toMatchObject({ action: 'model.update', changes: { scheduled: { after: null } } })
  })
})
