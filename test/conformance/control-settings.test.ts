import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeDeclaredSettings, writeSettings } from '../../src/control/settings/instance-settings.ts'
import { STANDARD } from '../../src/control/settings/upkeep-settings.ts'
import type { Account } from '../../src/access/account.ts'
import { parseDeclarativeFile } from '../../src/app/declarative/declarative-file.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const ROUTING_KEY = 'planted-routing-key-0123456789'
const WEBHOOK_SECRET = 'planted-webhook-secret-0123456789'

describe.each(ENGINES_ABOVE_STORES)('settings on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker & { readonly account: Account }
  let auditor: Asker
  let posted: readonly string[] = []
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      posted = [...posted, Buffer.concat(chunks).toString()]
      response.writeHead(posted.length === 1 ? 204 : 503).end()
    })
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/planted-path`
    control = await controlUnderTest({
      engine,
      environment: {
        TOLLGATE_ALERT_WEBHOOK_URL: webhook,
        TOLLGATE_ALERT_WEBHOOK_SECRET: WEBHOOK_SECRET,
        TOLLGATE_DRAIN_MS: '5000',
      },
    })
    admin = await control.account({ role: 'admin' })
    auditor = await control.account({ role: 'auditor' })
  })
  afterAll(async () => {
    receiver.close()
    await control.close()
  })

  test('the installation is exported as a file that can be applied, without a secret in plain text, for admins alone', async () => {
    const upstream = { name: 'exported', protocol: 'openai', base_url: 'https://api.example.test/v1' }
    await admin.ask('POST', '/api/upstreams', { ...upstream, credential: 'planted-credential-0123456789' })
    await admin.ask('PATCH', '/api/settings', { site_name: 'Exported' })
    await admin.ask('POST', '/api/announcements', { title: { en: 'Hello', 'zh-CN': '您好' } })
    const { status, body, text } = await admin.ask('POST', '/api/configuration/export')
    expect(status).toBe(200)
    expect(() => parseDeclarativeFile(body.file, { name: 'tollgate.yaml', environment: {} })).not.toThrow()
    const file = parse(body.file)
    expect(file.settings).toMatchObject({ site_name: 'Exported' })
    expect(file.upstreams).toMatchObject([{ name: 'exported' }])
    expect(body.remarks).toEqual([expect.stringContaining('Announcements')])
    expect(text).not.toContain('planted-')
    expect((await auditor.ask('POST', '/api/configuration/export')).status).toBe(403)
    const stale = await control.as(admin.account, 'stale_session')
    expect((await stale.ask('POST', '/api/configuration/export')).body.code).toBe('confirmation_needed')
    const { data } = (await admin.ask('GET', '/api/audit?action=configuration.export')).body
    expect(data).toHaveLength(1)
  })

  test('of two changes at one moment none loses what the other set', async () => {
    for (let round = 0; round < 10; round++) {
      const wanted = { site_name: `Name ${round}`, top_up_url: `https://example.test/${round}` }
      const answers = await Promise.all(
        Object.entries(wanted).map(([field, value]) => admin.ask('PATCH', '/api/settings', { [field]: value })),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect((await admin.ask('GET', '/api/settings')).body).toMatchObject(wanted)
    }
  })

  test('of two changes of one version, one is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const { version } = (await admin.ask('GET', '/api/settings')).body as { version: string }
      const save = (name: string) =>
        admin.ask('PATCH', '/api/settings', { site_name: name }, { 'if-match': `"${version}"` })
      const answers = await Promise.all([save(`One ${round}`), save(`Other ${round}`)])
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412])
    }
  })

  test('what a template says is shown to admins alone, and is not in the audit', async () => {
    const template = { routing_key: ROUTING_KEY, at: 7, payload: { summary: `${ROUTING_KEY} {{title}} of {{limit}}` } }
    control.clock.advance(1000)
    const kept = await admin.ask('PATCH', '/api/settings', { alert_template: template })
    expect(kept.body.alert_template).toEqual(template)
    expect((await admin.ask('GET', '/api/settings')).body.alert_template).toEqual(template)
    const read = await auditor.ask('GET', '/api/settings')
    expect(read.body).toMatchObject({
      version: kept.body.version,
      alert_template: { routing_key: '•••', at: '•••', payload: { summary: '{{title}} {{limit}}' } },
    })
    control.clock.advance(1000)
    const changed = { ...template, routing_key: `${ROUTING_KEY}-2` }
    expect((await admin.ask('PATCH', '/api/settings', { alert_template: changed })).status).toBe(200)
    const audit = await auditor.ask('GET', '/api/audit?action=settings.update')
    expect(audit.body.data.slice(0, 2)).toMatchObject([
      { changes: { alert_template: { after: { routing_key: '•••' } } } },
      { changes: { alert_template: { before: null, after: { routing_key: '•••' } } } },
    ])
    for (const path of ['/api/configuration', '/api/settings', '/api/audit']) {
      expect((await auditor.ask('GET', path)).text, path).not.toContain(ROUTING_KEY)
    }
    await admin.ask('PATCH', '/api/settings', { alert_template: null })
  })

  test('what the declarative file sets is not changed here, and the rest is', async () => {
    await admin.ask('PATCH', '/api/settings', { registration: 'invitation' })
    await writeDeclaredSettings(control.store.settings, ['registration'])
    const refused = await admin.ask('PATCH', '/api/settings', { registration: 'open', site_name: 'Refused' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'managed', field: 'registration' } })
    const kept = await admin.ask('PATCH', '/api/settings', { registration: 'invitation', site_name: 'Kept' })
    expect(kept.body).toMatchObject({ site_name: 'Kept', registration: 'invitation' })
    const { body } = await auditor.ask('GET', '/api/configuration')
    expect(body.settings).toEqual(
      expect.arrayContaining([
        { name: 'registration', source: 'file', standard: 'invitation', changed: null },
        { name: 'site_name', source: 'stored', standard: 'Tollgate', changed: expect.anything() },
        { name: 'account_limits', source: 'default', standard: null, changed: null },
      ]),
    )
    await writeDeclaredSettings(control.store.settings, [])
  })

  test('of each setting it is known who set its value and when, unless something else has set another since', async () => {
    const other = await control.account({ role: 'admin' })
    const changed = async (name: string): Promise<unknown> => {
      const { body } = await auditor.ask('GET', '/api/configuration')
      return body.settings.find((each: { readonly name: string }) => each.name === name).changed
    }
    const template = { routing_key: ROUTING_KEY }
    await admin.ask('PATCH', '/api/settings', { site_name: 'First', alert_template: template })
    control.clock.advance(60_000)
    await other.ask('PATCH', '/api/settings', { site_name: 'Second', account_limits: { max_keys: 5 } })
    const now = new Date(control.clock.now()).toISOString()
    const byOther = { created_at: now, actor: other.account.id, actor_email: other.account.email, via: 'session' }
    expect(await changed('site_name')).toEqual(byOther)
    expect(await changed('account_limits')).toEqual(byOther)
    expect(await changed('alert_template')).toMatchObject({ actor: admin.account.id })
    await writeSettings(control.store.settings, { ...STANDARD, site_name: 'From a file' })
    expect(await changed('site_name')).toBeNull()
    expect(await changed('account_limits')).toEqual(byOther)
    await other.ask('PATCH', '/api/settings', { account_limits: null })
    expect(await changed('account_limits')).toEqual(byOther)
  })

  test('of each variable it is known where its value comes from, and of a secret no more than that', async () => {
    const { body, text } = await auditor.ask('GET', '/api/configuration')
    expect(body.variables).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'TOLLGATE_DRAIN_MS', source: 'environment', value: '5000', part: 'server' }),
        expect.objectContaining({ name: 'TOLLGATE_LOG_LEVEL', source: 'default', value: null, standard: 'info' }),
        expect.objectContaining({ name: 'TOLLGATE_ALERT_WEBHOOK_URL', source: 'environment', value: null }),
      ]),
    )
    for (const secret of [WEBHOOK_SECRET, 'planted-path']) expect(text).not.toContain(secret)
  })

  test('a test of alerts says on each way whether it arrived', async () => {
    const first = await admin.ask('POST', '/api/alerts/test')
    expect(first.body.data).toMatchObject([{ way: 'webhook', delivered: true, failure: null }])
    const second = await admin.ask('POST', '/api/alerts/test')
    expect(second.body.data).toMatchObject([{ way: 'webhook', delivered: false, failure: 'HTTP 503' }])
    expect(posted).toHaveLength(2)
  })
})
