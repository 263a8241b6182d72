import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CapturedRequest } from '../../src/access/capture.ts'
import { rotateSecret } from '../../src/app/installation/secret-rotation.ts'
import { keepUpCaptures } from '../../src/app/server/scheduled-work.ts'
import { writeSettings } from '../../src/control/settings/instance-settings.ts'
import { STANDARD } from '../../src/control/settings/upkeep-settings.ts'
import { newId } from '../../src/core/ids.ts'
import { CAPTURE_KEPT_MS, CAPTURE_MS, CAPTURE_REQUESTS, CAPTURES_KEPT_BYTES } from '../../src/core/limits.ts'
import { sealer } from '../../src/core/secret-box.ts'
import type { Store } from '../../src/store/store.ts'
import { aKey, aSecret, fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

describe.each(ENGINES)('captures on %s', (engine) => {
  let place: Place
  let store: Store
  let other: Store
  let accountId: string
  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    other = await place.open()
    accountId = (await fundedAccount(store, '1')).id
  })
  afterAll(() => place.leave())
  beforeEach(async () => {
    await writeSettings(store.settings, { ...STANDARD, capture_requests: true })
    await store.captures.deleteAll(NOON)
  })

  async function aCapture() {
    const key = aKey(accountId)
    const secret = aSecret()
    await store.keys.create(key, secret)
    const capture = {
      id: newId('cap', NOON),
      keyId: key.id,
      accountId,
      begunBy: 'admin_token',
      createdAt: NOON,
      endsAt: NOON + CAPTURE_MS,
    }
    const begun = await store.captures.begin(capture)
    expect(begun.kind).toBe('begun')
    return { ...capture, hash: secret.hash }
  }

  const captured = (over: Partial<CapturedRequest> = {}): CapturedRequest => ({
    requestId: newId('req', NOON),
    createdAt: NOON,
    method: 'POST',
    path: '/v1/messages',
    model: 'm',
    status: 200,
    totalMs: 5,
    requestBytes: 2,
    responseBytes: 3,
    sealed: 'v1.x.y',
    ...over,
  })

  const rows = async (table: string) => Number((await place.sql(`select count(*) as n from ${table}`))[0]?.['n'])

  test('a key names its capture as long as it runs, and gateways hear of its begin and its end', async () => {
    const { id, keyId, hash, endsAt } = await aCapture()
    expect((await store.keys.findByHash(hash))?.key.capture).toEqual({ id, endsAt })
    const ended = await store.captures.end(keyId, NOON + 1)
    expect(ended).toMatchObject({ because: 'admin', change: { subject: 'key', subjectId: keyId } })
    expect((await store.keys.findByHash(hash))?.key).not.toHaveProperty('capture')
    expect(await store.captures.end(keyId, NOON + 2)).toBeNull()
  })

  test('of all nodes together exactly so many requests are kept, and the last one ends it once', async () => {
    const { id, keyId } = await aCapture()
    const kept = await Promise.all(
      Array.from({ length: CAPTURE_REQUESTS + 6 }, (_, at) =>
        (at % 2 === 0 ? store : other).captures.keep(id, captured(), NOON + 1),
      ),
    )
    expect(kept.filter((each) => each.isKept)).toHaveLength(CAPTURE_REQUESTS)
    expect(kept.filter((each) => each.ended !== null)).toMatchObject([{ ended: { because: 'count' } }])
    expect(await store.captures.list(id)).toHaveLength(CAPTURE_REQUESTS)
    expect(await store.captures.find(keyId, NOON + 1)).toMatchObject({ kept: CAPTURE_REQUESTS })
  })

  test('nothing is kept once its time is over, whether it was seen to end or not', async () => {
    const { id, keyId } = await aCapture()
    expect((await store.captures.keep(id, captured(), NOON + CAPTURE_MS - 1)).isKept).toBe(true)
    expect(await store.captures.keep(id, captured(), NOON + CAPTURE_MS)).toEqual({ isKept: false, ended: null })
    await keepUpCaptures(store, NOON + CAPTURE_MS)
    await keepUpCaptures(other, NOON + CAPTURE_MS)
    expect(await store.captures.find(keyId, NOON + CAPTURE_MS)).toMatchObject({ kept: 1, ended: { because: 'time' } })
    const ends = await store.audit.page({ subject: keyId, after: null, limit: 10 })
    expect(ends).toMatchObject([{ action: 'key.capture_end', actor: 'admin_token', via: 'none' }])
  })

  test('it is not shown when it is a day old, and deleted with what it kept', async () => {
    const { id, keyId } = await aCapture()
    await store.captures.keep(id, captured(), NOON)
    expect(await store.captures.find(keyId, NOON + CAPTURE_KEPT_MS - 1)).not.toBeNull()
    expect(await store.captures.find(keyId, NOON + CAPTURE_KEPT_MS)).toBeNull()
    await keepUpCaptures(store, NOON + CAPTURE_KEPT_MS - 1)
    expect(await rows('captured_requests')).toBe(1)
    await keepUpCaptures(store, NOON + CAPTURE_KEPT_MS)
    expect([await rows('captured_requests'), await rows('captures')]).toEqual([0, 0])
  })

  test('what is kept of all captures has a bound, at which a capture ends and says what it missed', async () => {
    const { id, keyId } = await aCapture()
    await store.captures.keep(id, captured(), NOON)
    await place.change([`update captured_requests set bytes = ${CAPTURES_KEPT_BYTES}`])
    expect(await store.captures.keep(id, captured(), NOON)).toMatchObject({ isKept: false, ended: { because: 'room' } })
    expect(await store.captures.find(keyId, NOON)).toMatchObject({ kept: 1, missed: 1 })
    const key = aKey(accountId)
    await store.keys.create(key, aSecret())
    const wanted = { id: newId('cap', NOON), keyId: key.id, accountId, begunBy: 'x', createdAt: NOON, endsAt: NOON + 1 }
    expect(await store.captures.begin(wanted)).toEqual({ kind: 'full' })
  })

  test('deleting the key deletes its capture, and a request that still runs brings nothing back', async () => {
    const { id, keyId } = await aCapture()
    await store.captures.keep(id, captured(), NOON)
    await store.keys.setStatus(keyId, 'deleted', NOON)
    expect((await store.captures.keep(id, captured(), NOON)).isKept).toBe(false)
    expect([await rows('captured_requests'), await rows('captures')]).toEqual([0, 0])
  })

  test('where captures are off, the next look ends and deletes all of them', async () => {
    const { id, hash } = await aCapture()
    await store.captures.keep(id, captured(), NOON)
    await writeSettings(store.settings, STANDARD)
    await keepUpCaptures(store, NOON)
    expect([await rows('captured_requests'), await rows('captures')]).toEqual([0, 0])
    expect((await store.keys.findByHash(hash))?.key).not.toHaveProperty('capture')
  })

  test('what is sealed can be read after the secret was rotated', async () => {
    const { id } = await aCapture()
    const [current, next] = ['a secret of 32 characters, no less', 'another one of 32 characters, too']
    const request = captured({ sealed: sealer(current).seal('what was sent') })
    await store.captures.keep(id, request, NOON)
    await rotateSecret(store, { current, next, hashSecret: current, nowMs: NOON }, () => {})
    const sealed = (await store.captures.read(id, request.requestId))?.sealed ?? ''
    expect(sealer(next).open(sealed)).toBe('what was sent')
  })
})
