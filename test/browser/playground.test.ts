import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from './languages.ts'
import { type Person, type Place, sharedPlace } from './place.ts'
import { arrives, content, eventually, field, fill, hears, press, reads, unfold } from './reading.ts'
import { visit } from './visit.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { longTest } from '../support/run/long-test.ts'

const run = promisify(execFile)
const [{ diagnose, language, key, keys, playground, shared, shell }] = LANGUAGES

let place: Place
let ada: Person
beforeAll(async () => {
  place = await sharedPlace()
  ada = await place.person({ balance: '5' })
})

const keysOf = async (person = ada): Promise<readonly string[]> => {
  const { body } = await person.ask('GET', '/api/keys?search=Playground&playground=true')
  return body.data.map(({ name }: { name: string }) => name)
}

async function answers(page: Page, model: string, text: string): Promise<void> {
  const pane = page.getByRole('region', { name: playground.answerOf(model) })
  await reads(pane, text)
  await pane.getByRole('link', { name: playground.receipt }).waitFor()
  await reads(pane, '$')
}

test('a question goes out in each protocol, streamed or not, to two models at once, and its key ends with the visit', async () => {
  const { page, open } = await visit(place, { language, width: 1280, as: ada })
  await open('/playground?model=demo%2Fecho')
  await field(page, playground.second).selectOption('demo/reasoner')
  for (const wire of ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini']) {
    if (wire !== 'openai-chat') await field(page, playground.second).selectOption('')
    for (const isStream of [true, false]) {
      const text = `Say ${wire} ${isStream ? 'in parts' : 'at once'}`
      await field(page, playground.protocol).selectOption(wire)
      await fill(page, playground.text, text)
      if (wire === 'openai-chat' && isStream) await unfold(content(page), playground.more)
      await page.getByRole('switch', { name: playground.stream }).setChecked(isStream)
      await press(page, playground.send)
      await answers(page, 'demo/echo', text)
      if (wire === 'openai-chat') await answers(page, 'demo/reasoner', '')
    }
  }
  await eventually(() => keysOf()).toEqual(['Playground'])
  await page.getByRole('link', { name: shared.pages.models, exact: true }).first().click()
  await eventually(() => keysOf()).toEqual([])
  await page.getByRole('link', { name: shared.tryModel('demo/tools') }).click()
  await arrives(page, shared.pages.playground)
  await eventually(() => field(page, playground.model).inputValue()).toBe('demo/tools')
})

longTest('tools and a picture are sent as they are filled in, and what is copied as code sends the same', async () => {
  const eve = await place.person({ balance: '5' })
  const { body } = await eve.ask('POST', '/api/keys', { name: 'shell', group: 'default' })
  const { page, open, copied } = await visit(place, { language, width: 1280, as: eve })
  await open('/playground?model=demo%2Ftools')
  await unfold(content(page), playground.more)
  const asCurl = page.getByRole('button', { name: playground.copyCode('curl') })
  await fill(page, playground.tools, '[{"type": "function", "function": {"name": "look_around"')
  await reads(content(page), playground.toolsWrong)
  expect(await asCurl.count()).toBe(0)
  await fill(page, playground.tools, '[{"type": "function", "function": {"name": "look_around"}}]')
  await asCurl.waitFor()
  // What was unfolded stays so while it is filled in.
  expect(await field(page, playground.tools).isVisible()).toBe(true)
  const picture = Buffer.from('a picture, as far as the gateway is concerned')
  const choose = (buffer: Buffer) =>
    field(page, playground.image).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
  await choose(picture)
  await hears(page, 'a.png')
  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/v1/chat/completions')),
    press(page, playground.send),
  ])
  await answers(page, 'demo/tools', '→ look_around')
  const sent = asked.postDataJSON()
  expect(JSON.stringify(sent)).toContain(`data:image/png;base64,${picture.toString('base64')}`)

  await asCurl.click()
  await eventually(() => copied.at(-1) ?? '').toMatch(/^curl /)
  const env = { ...process.env, TOLLGATE_API_KEY: body.secret }
  const { stdout } = await run('bash', ['-c', copied.at(-1) ?? ''], { timeout: PATIENCE_MS, env })
  expect(stdout).toContain('look_around')
  expect(JSON.parse(/-d '(.*)'$/s.exec(copied.at(-1) ?? '')?.[1] ?? '')).toEqual(sent)
  // Neither a picture that is too large is sent, nor the one before it under its name.
  await choose(Buffer.alloc(5_000_001))
  await reads(content(page), playground.imageTooLarge)
  await page.getByRole('button', { name: playground.copyCode('TypeScript') }).click()
  await eventually(() => copied.at(-1) ?? '').toContain('await fetch(')
  expect(copied.at(-1)).not.toContain('image_url')
})

longTest('its key causes no notice, and is in no list of keys', async () => {
  const eva = await place.person({ balance: '5' })
  const { page, open } = await visit(place, { language, width: 1280, as: eva })
  await open('/playground?model=demo%2Fecho')
  await fill(page, playground.text, 'Say nothing of it')
  await press(page, playground.send)
  await answers(page, 'demo/echo', 'Say nothing of it')
  await eventually(() => keysOf(eva)).toEqual(['Playground'])
  const other = await page.context().newPage()
  await other.goto(`${place.origin}/console/keys`)
  await reads(content(other), keys.empty.title)
  await other.getByRole('button', { name: shared.notifications(0), exact: true }).click()
  await reads(other.getByRole('dialog', { name: shell.notices.title }), shell.notices.none)
})

longTest(
  'a second window ends the key of the first, which goes on with another, and no key that a person made',
  async () => {
    const soon = new Date(Date.now() + 30 * 60_000).toISOString()
    const own = await ada.ask('POST', '/api/keys', { name: 'Playground', group: 'default', expires_at: soon })
    const one = await visit(place, { language, width: 1280, as: ada, hasBadLine: true })
    const path = '/playground?model=demo%2Fecho'
    await one.open(path)
    const other = await one.context.newPage()
    await other.goto(`${place.origin}/console${path}`)
    for (const [index, page] of [one.page, other, one.page].entries()) {
      const text = `Say ${index}`
      await fill(page, playground.text, text)
      await press(page, playground.send)
      await answers(page, 'demo/echo', text)
    }
    await eventually(() => keysOf()).toEqual(['Playground', 'Playground'])
    expect((await ada.ask('GET', `/api/keys/${own.body.key.id}`)).status).toBe(200)
    await ada.ask('DELETE', `/api/keys/${own.body.key.id}`)
  },
)

longTest('from a key’s page, what is tried has the groups and models of that key', async () => {
  const { body } = await ada.ask('POST', '/api/keys', {
    name: 'one model',
    group: 'default',
    allowed_models: ['demo/tools'],
  })
  const { page, open } = await visit(place, { language, width: 1280, as: ada, hasBadLine: true })
  await open(`/keys/${body.key.id}`)
  await page
    .getByRole('region', { name: key.testing.title, exact: true })
    .getByRole('link', { name: shared.tryIt })
    .click()
  await reads(content(page), playground.asKey('one model'))
  await eventually(() => field(page, playground.model).inputValue()).toBe('demo/tools')
  await field(page, playground.model).selectOption('demo/echo')
  await press(page, playground.send)
  await reads(content(page), playground.failed('404'))
  await page.getByRole('link', { name: playground.diagnose, exact: true }).last().click()
  await page.getByRole('dialog', { name: diagnose.title }).getByRole('button', { name: diagnose.share }).waitFor()
})
