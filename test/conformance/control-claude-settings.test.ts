import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

let control: ControlUnderTest
let admin: Asker
let operator: Asker
let path: string
beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
  operator = await control.account({ role: 'operator' })
  path = `/api/groups/${(await admin.ask('POST', '/api/groups', { name: 'coders' })).body.id}`
})
afterAll(() => control.close())

const set = (claude_settings: unknown, by: Asker = admin) => by.ask('PATCH', path, { claude_settings })

test('operators choose models and the like, and only admins what may run something on people’s computers', async () => {
  const harmless = { model: 'a', env: { ANTHROPIC_DEFAULT_OPUS_MODEL: 'a' }, permissions: { deny: ['WebFetch'] } }
  expect(await set(harmless, operator)).toMatchObject({ status: 200, body: { claude_settings: harmless } })
  const refused: readonly [string, object][] = [
    ['hooks', { hooks: {} }],
    ['apiKeyHelper', { apiKeyHelper: 'sh' }],
    ['statusLine', { statusLine: { type: 'command', command: 'sh' } }],
    ['env.NODE_OPTIONS', { env: { NODE_OPTIONS: '--require=/x' } }],
    ['env.anthropic_model', { env: { anthropic_model: 'a' } }],
    ['env', { env: [{ NODE_OPTIONS: '' }] }],
    ['permissions.allow', { permissions: { allow: ['Bash'] } }],
    ['sandbox', { sandbox: { enabled: false } }],
    ['aKeyOfLaterVersions', { aKeyOfLaterVersions: 1 }],
  ]
  for (const [name, settings] of refused) {
    const answer = await set({ ...harmless, ...settings }, operator)
    expect(answer).toMatchObject({ status: 403, body: { code: 'admin_needed', field: 'claude_settings' } })
    expect(answer.body.detail).toContain(`"${name}"`)
  }
  const made = { name: 'copy', claude_settings: { hooks: {} } }
  expect((await operator.ask('POST', '/api/groups', made)).status).toBe(403)

  const withCommand = { ...harmless, apiKeyHelper: 'sh' }
  expect((await set(withCommand)).status).toBe(200)
  expect((await set({ ...withCommand, model: 'b' }, operator)).status).toBe(200)
  expect((await set(harmless, operator)).status).toBe(403)
  expect((await set(null, operator)).status).toBe(403)
  expect((await operator.ask('PATCH', path, { multiplier: '2' })).body.claude_settings.apiKeyHelper).toBe('sh')
})

test('each changed setting is in the audit, without the values of variables that may be secret', async () => {
  await set({ model: 'a', env: { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret', MAX_THINKING_TOKENS: '0' } })
  await set({ model: 'b', env: { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=other', MAX_THINKING_TOKENS: '0' } })
  const { body: audit } = await admin.ask('GET', '/api/audit?action=group.update')
  expect(audit.data[0].changes).toEqual({
    'claude_settings.model': { before: 'a', after: 'b' },
    'claude_settings.env.OTEL_EXPORTER_OTLP_HEADERS': { before: '•••', after: '•••' },
  })
})

test('they are an object of a bounded size and depth that only staff read, and each change is a version', async () => {
  let deep: object = {}
  for (let level = 0; level < 5_000; level++) deep = { deep }
  const wrong = ['text', [], 1, {}, { model: 'x'.repeat(65_536) }, { model: 'é'.repeat(33_000) }, { deep }]
  for (const settings of wrong) expect((await set(settings)).status).toBe(422)
  const { body: before } = await admin.ask('GET', path)
  expect((await set({ model: 'x'.repeat(65_000) })).status).toBe(200)
  const odd = JSON.parse('{"model":"c","__proto__":{"hooks":{}},"constructor":1}') as object
  expect((await set(odd)).status).toBe(200)
  const { body: after } = await admin.ask('GET', path)
  expect(after.version).not.toBe(before.version)
  const { body: seen } = await (await control.account()).ask('GET', path)
  expect([seen.name, seen.claude_settings]).toEqual(['coders', null])
})
