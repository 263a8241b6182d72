import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { chatProvider } from '../support/chat-provider.ts'
import { LANGUAGES } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { eventually, field, fill, press, reads, readsNoMore } from './reading.ts'
import { visit } from './visit.ts'

// A provider that was connected as what it is not, put right by its admin.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

const [{ language, upstreams: t, shared }] = LANGUAGES
const SECRET = 'the-credential-of-a-wrong-guess-9f3Q'

test('a wrong protocol is put right in Edit, and a call that failed before is answered', async () => {
  const provider = await chatProvider({ credential: SECRET, models: ['m'] })
  onTestFinished(() => provider.close())
  const ada = await place.person({ balance: '5' })
  const { body: key } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
  const wrong = { name: 'wrong', protocol: 'anthropic', base_url: provider.url, credential: SECRET }
  const { body: made } = await root.ask('POST', '/api/upstreams', wrong)
  const targets = [{ upstream: 'wrong', model: 'm' }]
  await root.ask('POST', '/api/models', { name: 'guessed', price: { input: '1', output: '1' }, targets })
  const call = () => place.call(key.secret, { model: 'guessed', messages: [{ role: 'user', content: 'Hello' }] })
  expect((await call()).status).not.toBe(200)
  const { page, open } = await visit(place, { language, as: root })
  await open(`/admin/upstreams/${made.id}`)
  await press(page, t.editing.action)
  const editing = page.getByRole('dialog', { name: t.editing.title('wrong') })
  await field(editing, t.editing.fields.protocol).selectOption('openai-chat')
  await reads(editing, t.editing.protocolHint)
  await fill(editing, t.editing.fields.base_url, `${provider.url}/v1`)
  await fill(editing, t.editing.fields.credential, SECRET)
  await press(editing, shared.save)
  await editing.waitFor({ state: 'detached' })
  expect((await call()).status).toBe(200)
  const { body: audit } = await root.ask('GET', `/api/audit?subject=${made.id}&action=upstream.update`)
  expect(audit.data[0].changes).toMatchObject({ protocol: { before: 'anthropic', after: 'openai-chat' } })
})

test('a test that fails by the wrong protocol is a cross, names the URL, and offers the right one as a button', async () => {
  // It takes the credential of two protocols, and answers one.
  const provider = await chatProvider({ credential: SECRET, models: ['m'], takesApiKeyHeader: true })
  onTestFinished(() => provider.close())
  const { page, open } = await visit(place, { language, as: root })
  await open('/admin/upstreams?new=upstream')
  const drawer = page.getByRole('dialog', { name: t.new })
  await fill(drawer, t.adding.url, `${provider.url}/v1`)
  await fill(drawer, t.adding.secrets, SECRET)
  await press(drawer, t.adding.look)
  await drawer.getByRole('checkbox', { name: 'm', exact: true }).check()
  await drawer.getByRole('textbox', { name: t.adding.inputOf('m') }).fill('1')
  await drawer.getByRole('textbox', { name: t.adding.outputOf('m') }).fill('2')
  await drawer.getByText(t.adding.found, { exact: true }).click()
  await field(drawer, t.adding.protocol).selectOption('anthropic')
  await press(drawer, t.adding.createWith(1))
  await reads(drawer, t.testing.bad)
  await reads(drawer, `${provider.url}/v1/messages`)
  await reads(drawer, t.adding.misaddressed)
  // Beside what was tested, no line has a tick.
  const line = drawer.getByRole('listitem').filter({ hasText: t.adding.steps.answer('m') })
  await reads(line, t.adding.stepFailed)
  const { body } = await root.ask('GET', '/api/upstreams/status')
  const states = body.data.map(({ state }: { readonly state: string }) => state)
  expect(states).toContain('failing')
  await press(drawer, t.adding.tryAs('openai-chat', `${provider.url}/v1`))
  await reads(drawer, t.testing.good)
  await readsNoMore(line, t.adding.stepFailed)
  await drawer.getByRole('link', { name: t.adding.next }).waitFor()
  const { body: now } = await root.ask('GET', '/api/upstreams?search=upstream')
  expect(now.data).toMatchObject([{ protocol: 'openai-chat', credentials: [{ name: 'default' }] }])
})

test('an upstream with models is deleted in one action, moving them, or is not where a file has them', async () => {
  const [one, other] = await Promise.all([startFakeUpstream(), startFakeUpstream()])
  onTestFinished(() => one.close())
  onTestFinished(() => other.close())
  const anUpstream = async (name: string, url: string) =>
    (await root.ask('POST', '/api/upstreams', { name, protocol: 'openai', base_url: `${url}/v1` })).body
  const [leaving, staying] = [await anUpstream('leaving', one.url), await anUpstream('staying', other.url)]
  for (const name of ['first', 'second']) {
    const targets = [{ upstream: 'leaving', model: 'fake/echo' }]
    await root.ask('POST', '/api/models', { name: `${name}-moved`, price: { input: '1', output: '1' }, targets })
  }
  const { page, open } = await visit(place, { language, as: root })
  await open(`/admin/upstreams/${leaving.id}`)
  await press(page, t.actionsOf('leaving'))
  await page.getByRole('menuitem', { name: t.deleting.action }).click()
  const deleting = page.getByRole('alertdialog', { name: t.deleting.title('leaving') })
  await reads(deleting, t.deleting.used(2))
  await deleting.getByRole('radio', { name: t.deleting.choices.move }).check()
  await field(deleting, t.deleting.to).selectOption(staying.id)
  await press(deleting, t.deleting.action)
  await eventually(async () => (await root.ask('GET', '/api/models?search=-moved')).body.data).toMatchObject([
    { targets: [{ upstream: 'staying' }] },
    { targets: [{ upstream: 'staying' }] },
  ])
  const names = (await root.ask('GET', '/api/upstreams')).body.data.map((each: { readonly name: string }) => each.name)
  expect(names).not.toContain('leaving')
})
