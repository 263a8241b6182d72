import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SUBJECT_ENTRIES_READ } from '../../src/access/audit.ts'
import { setDuePrices } from '../../src/control/scheduled/due-prices.ts'
import { newId } from '../../src/core/ids.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const IMPORT = 'imp_0123456789abcdef'

describe.each(ENGINES_ABOVE_STORES)('on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    admin = await control.account({ role: 'admin' })
  })
  afterAll(() => control.close())

  const aModel = async (name: string): Promise<string> =>
    (await admin.ask('POST', '/api/models', { name, price: { input: '1', output: '2' } })).body.id
  const patch = (id: string, body: object, by = admin) => by.ask('PATCH', `/api/models/${id}`, body)
  const changed = async (id: string, by = admin) => (await by.ask('GET', `/api/models/${id}`)).body.price_changed

  test('staff read who set a price, when and by what: created, by hand, by an import with its source, or as planned', async () => {
    const id = await aModel('set')
    const by = { actor: admin.account?.id, actor_email: admin.account?.email }
    const at = () => new Date(control.clock.now()).toISOString()
    expect(await changed(id)).toEqual({
      ...by,
      created_at: at(),
      via: 'session',
      action: 'model.create',
      import_source: null,
    })
    control.clock.advance(60_000)
    const finance = await control.account({ role: 'finance' })
    const { body: edited } = await patch(id, { price: { input: '3', output: '4' } }, finance)
    expect(edited.price_changed).toMatchObject({
      created_at: at(),
      actor_email: finance.account?.email,
      action: 'model.update',
    })
    control.clock.advance(60_000)
    const bought = { price: { input: '5', output: '6' }, import_id: IMPORT, import_source: 'models.dev' }
    await patch(id, bought)
    const imported = { ...by, action: 'model.import', import_source: 'models.dev', created_at: at() }
    expect(await changed(id)).toMatchObject(imported)
    control.clock.advance(60_000)
    // Neither what is set beside the price nor a plan sets the price, though both have one within.
    await patch(id, { targets: [], recommended: true })
    const planned = { price: { input: '7', output: '8' }, import_id: IMPORT, import_source: 'litellm' }
    const effectiveAt = new Date(control.clock.now() + 60_000).toISOString()
    await patch(id, { ...planned, effective_at: effectiveAt })
    expect(await changed(id)).toMatchObject(imported)
    control.clock.advance(60_000)
    await setDuePrices(control.store, {
      ids: [id],
      nowMs: control.clock.now(),
      newId: (prefix) => newId(prefix, control.clock.now()),
    })
    expect(await changed(id)).toMatchObject({ ...imported, import_source: 'litellm', via: 'none', created_at: at() })
    const listed = (await admin.ask('GET', '/api/models?search=set')).body.data
    expect(listed.map((each: { price_changed: unknown }) => each.price_changed)).toMatchObject([
      { import_source: 'litellm' },
    ])
  })

  test('a price that something else than the API has set since, one of the file, and one too long ago have none', async () => {
    const id = await aModel('elsewhere')
    await patch(await aModel('dear'), { price: { input: '9', output: '9' } })
    const models = await control.store.catalog.models()
    const [model, dear] = ['elsewhere', 'dear'].map((name) => models.find((each) => each.name === name))
    if (model === undefined || dear === undefined) throw new Error('they were made')
    await control.store.catalog.putModel({ ...model, prices: dear.prices })
    expect(await changed(id)).toBeNull()
    await control.store.catalog.putModel({ ...model, isManaged: true })
    expect(await changed(id)).toBeNull()
    await control.store.catalog.putModel(model)
    expect(await changed(id)).toMatchObject({ action: 'model.create' })
    for (let entry = 0; entry < SUBJECT_ENTRIES_READ; entry++) await patch(id, { recommended: entry % 2 === 0 })
    expect(await changed(id)).toBeNull()
  })

  test('the list of models reads the audit once for a page, and those who are not staff read nothing of it', async () => {
    const { audit } = control.store
    const reads: number[] = []
    const read = audit.lastChangesOf.bind(audit)
    audit.lastChangesOf = (field, subjects) => {
      reads.push(subjects.length)
      return read(field, subjects)
    }
    await Promise.all(Array.from({ length: 12 }, (_, i) => aModel(`many-${i}`)))
    reads.length = 0
    const { body } = await admin.ask('GET', '/api/models?limit=10&search=many-')
    expect(body.data.every((each: { price_changed: unknown }) => each.price_changed !== null)).toBe(true)
    expect(reads).toEqual([10])
    const user = await control.account()
    await control.group('standard')
    const { body: seen } = await user.ask('GET', '/api/models')
    expect(JSON.stringify(seen)).not.toContain('price_changed')
    expect(reads).toEqual([10])
  })
})
