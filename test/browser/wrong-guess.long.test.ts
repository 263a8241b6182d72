import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { chatProvider } from '../support/chat-provider.ts'
import { LANGUAGES } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { eventually, field, fill, press, reads } from './reading.ts'
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

test('an upstream with models is deleted in one action, moving them, or is not where a file has them', async () => {
  const [one, other] = await Promise.all([startFakeUpstream(), startFakeUpstream()])
  onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => {}))
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
