import { afterAll, beforeAll, expect, test } from 'vitest'
import { CAPTURE_KEPT_MS, CAPTURE_MS } from '../../src/core/limits.ts'
import { sealer } from '../../src/core/secret-box.ts'
import { type Asker, type ControlUnderTest, CONTROL_SECRET, controlUnderTest } from '../support/control-under-test.ts'

let control: ControlUnderTest
let owner: Asker
let keyId: string
beforeAll(async () => {
  control = await controlUnderTest()
  await control.group('default')
  owner = await control.account()
  const { body } = await owner.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
  keyId = body.key.id
  await control.adminToken.ask('PATCH', '/api/settings', { capture_requests: true })
})
afterAll(() => control.close())

const path = () => `/api/keys/${keyId}/capture`

const CONTENT = {
  request: { headers: [], body: { encoding: 'utf8', text: 'what was asked', bytes: 14, is_cut: false } },
  response: null,
  attempts: [],
} as const

async function keep(captureId: string, requestId: string): Promise<void> {
  const now = control.clock.now()
  const about = { requestId, createdAt: now, method: 'POST', path: '/v1/messages', model: 'm', status: null }
  const sealed = sealer(CONTROL_SECRET).seal(JSON.stringify(CONTENT))
  const request = { ...about, totalMs: 1, requestBytes: 14, responseBytes: 0, sealed }
  expect((await control.store.captures.keep(captureId, request, now)).isKept).toBe(true)
}

test('no role but admin begins, reads or ends a capture, the owner of the key included', async () => {
  const staff = (['auditor', 'operator', 'finance'] as const).map((role) => control.account({ role }))
  for (const asker of [owner, ...(await Promise.all(staff))]) {
    for (const [method, at] of [
      ['POST', path()],
      ['GET', path()],
      ['GET', `${path()}/req_1`],
      ['DELETE', path()],
    ] as const) {
      expect((await asker.ask(method, at)).status, `${asker.account?.role ?? ''} ${method}`).toBe(403)
    }
  }
})

test('a capture ends by itself after 15 minutes, and nothing of it is shown after a day', async () => {
  const { adminToken: admin, clock } = control
  const begun = await admin.ask('POST', path())
  expect(begun).toMatchObject({ status: 201, body: { is_running: true, requests: 0 } })
  await keep(begun.body.id, 'req_1')
  const until = (await owner.ask('GET', '/api/keys')).body.data[0].captured_until
  expect(until).toBe(begun.body.ends_at)

  clock.advance(CAPTURE_MS)
  expect((await owner.ask('GET', '/api/keys')).body.data[0].captured_until).toBeNull()
  expect((await admin.ask('GET', path())).body).toMatchObject({
    capture: { is_running: false, ended_because: 'time', requests: 1 },
    data: [{ request_id: 'req_1', status: null }],
  })
  expect((await admin.ask('DELETE', path())).status).toBe(404)
  expect((await admin.ask('GET', `${path()}/req_1`)).body).toMatchObject(CONTENT)

  clock.advance(CAPTURE_KEPT_MS - CAPTURE_MS)
  expect((await admin.ask('GET', path())).body).toEqual({ enabled: true, capture: null, data: [] })
  expect((await admin.ask('GET', `${path()}/req_1`)).status).toBe(404)
})

test('another capture takes the place of the last one, and deletes what that kept', async () => {
  const { adminToken: admin } = control
  const first = await admin.ask('POST', path())
  await keep(first.body.id, 'req_first')
  await admin.ask('DELETE', path())
  expect((await admin.ask('GET', path())).body.data).toHaveLength(1)
  await admin.ask('POST', path())
  expect((await admin.ask('GET', path())).body).toMatchObject({ capture: { requests: 0 }, data: [] })
  expect((await admin.ask('GET', `${path()}/req_first`)).status).toBe(404)
})

test('closing the account deletes what was captured of its keys', async () => {
  const { adminToken: admin, store } = control
  const { capture } = (await admin.ask('GET', path())).body
  await keep(capture.id, 'req_last')
  expect(await store.captures.list(capture.id)).toHaveLength(1)
  expect((await admin.ask('POST', `/api/accounts/${owner.account?.id}/close`)).status).toBeLessThan(300)
  expect(await store.captures.list(capture.id)).toEqual([])
})
