import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeAzure, startFakeAzure } from '../../tools/fake-upstream/clouds/azure.ts'
import { type FakeBedrock, startFakeBedrock } from '../../tools/fake-upstream/clouds/bedrock.ts'
import { type FakeTokenServices, startFakeTokenServices } from '../../tools/fake-upstream/clouds/token-issuers.ts'
import { CLIENT, CLIENT_SECRET, TENANT } from '../../tools/fake-upstream/clouds/tokens/entra-tokens.ts'
import { IMPERSONATED } from '../../tools/fake-upstream/clouds/tokens/google-tokens.ts'
import { SERVICE_ACCOUNT } from '../../tools/fake-upstream/clouds/tokens/issuer.ts'
import { type FakeVertex, startFakeVertex } from '../../tools/fake-upstream/clouds/vertex.ts'
import { type FakeUpstream, startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { withStandIns } from '../support/vendor-stand-in.ts'
import { LANGUAGES } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { eventually, field, fill, hears, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// From New upstream to a first real answer with what each cloud issues tokens for, and with servers of this machine: the same
// ways in both languages, and what is clicked on them is counted.

const RESOURCE = 'https://my-resource.openai.azure.com'
const KEY = 'the-key-of-a-cloud-9f3Q'
const GEMINI = 'gemini-2.5-flash'
const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const KEY_FILE = JSON.stringify({ ...SERVICE_ACCOUNT, project_id: 'fake-project' })

let fake: FakeUpstream
let azure: FakeAzure
let vertex: FakeVertex
let bedrock: FakeBedrock
let services: FakeTokenServices
let standIns: Readonly<Record<string, number>>
beforeAll(async () => {
  fake = await startFakeUpstream()
  services = await startFakeTokenServices()
  const { book } = services
  const deployments = { 'gpt-4o': { model: 'fake/echo' } }
  azure = await startFakeAzure({
    upstream: fake.url,
    key: KEY,
    tokens: { has: (token) => book.isGood(token) },
    deployments,
  })
  vertex = await startFakeVertex({
    upstream: fake.url,
    takesToken: (token) => book.isGood(token),
    models: { [GEMINI]: 'fake/echo' },
  })
  bedrock = await startFakeBedrock({ upstream: fake, apiKey: KEY, models: { [CLAUDE]: 'fake/echo' } })
  const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port)
  standIns = {
    '.openai.azure.com': portOf(azure),
    'aiplatform.googleapis.com': portOf(vertex),
    '.amazonaws.com': portOf(bedrock),
    'login.microsoftonline.com': portOf({ url: services.origin }),
    'oauth2.googleapis.com': portOf({ url: services.origin }),
    'iamcredentials.googleapis.com': portOf({ url: services.origin }),
    '127.0.0.1:11434': portOf(fake),
    '127.0.0.1:8000': portOf(fake),
  }
})
afterAll(async () => {
  azure.close()
  await Promise.all([vertex.close(), bedrock.close(), services.close(), fake.close()])
})

const COUNT_CLICKS =
  'globalThis.clicks = 0; addEventListener("pointerdown", () => { globalThis.clicks += 1 }, { capture: true })'

describe.each(LANGUAGES)('in $language', ({ language, shared, upstreams: t, connecting: words, operations }) => {
  let place: OwnPlace
  let root: Person
  beforeAll(async () => {
    place = await startPlace(withStandIns(standIns))
    root = await place.person({ role: 'admin' })
  })
  afterAll(() => place.stop())

  const opened = async () => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/upstreams?new=upstream')
    await page.evaluate(COUNT_CLICKS)
    const drawer = page.getByRole('dialog', { name: t.new })
    const choose = (name: string) => drawer.getByRole('button', { name }).click()
    return { page, drawer, choose, clicks: () => page.evaluate('globalThis.clicks') }
  }
  const stored = async (name: string) => (await root.ask('GET', `/api/upstreams?search=${name}`)).body.data[0]
  /** Fills in a field that is clicked into. */
  const type = async (where: Locator, label: string, text: string) => {
    await field(where, label).click()
    await where.page().keyboard.insertText(text)
  }
  /** The model is served at the list price, and its first answer comes. */
  const isServed = async (drawer: Locator, model: string) => {
    await eventually(() => drawer.getByRole('textbox', { name: t.adding.inputOf(model) }).inputValue()).not.toBe('')
    await press(drawer, t.adding.createWith(1))
    await reads(drawer, t.testing.good)
  }
  const toItsPage = async (page: Page, drawer: Locator) => {
    await drawer.getByRole('link', { name: t.adding.open }).click()
    return page.getByRole('listitem', { name: 'default', exact: true })
  }
  const tests = async (page: Page, credential: Locator) => {
    await press(credential, `${t.test} default`)
    const testing = page.getByRole('dialog', { name: t.testing.title('default') })
    await press(testing, t.testing.send)
    await reads(testing, t.testing.good)
    await page.keyboard.press('Escape')
    await testing.waitFor({ state: 'detached' })
  }

  test('an application of Entra ID signs in at Azure in seven clicks; its version and its credential are changed', async () => {
    const { page, drawer, choose, clicks } = await opened()
    await choose('Azure OpenAI')
    const target = `${RESOURCE}/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21`
    await page.keyboard.insertText(target)
    await field(drawer, words.signIn).selectOption('azure.client_secret')
    await type(drawer, words.settings.tenant_id, TENANT)
    await type(drawer, words.settings.client_id, CLIENT)
    await type(drawer, words.secrets['azure.client_secret'], CLIENT_SECRET)
    await press(drawer, t.adding.look)
    // Choosing how to sign in is the seventh, which no pointer is needed for here.
    await isServed(drawer, 'gpt-4o')
    expect(await clicks()).toBeLessThanOrEqual(6)
    const source = { source: 'client_secret', tenant_id: TENANT, client_id: CLIENT }
    expect(await stored('azure')).toMatchObject({
      dialect: 'azure',
      api_version: '2024-10-21',
      credentials: [{ kind: 'azure', settings: source }],
    })
    expect(azure.requests.at(-1)?.headers.authorization).toMatch(/^Bearer eyJ0eXAi\./)

    const credential = await toItsPage(page, drawer)
    await reads(credential, words.sources['azure.client_secret'])
    await press(page, t.editing.action)
    const editing = page.getByRole('dialog', { name: t.editing.title('azure') })
    await fill(editing, t.editing.fields.api_version, '2024-12-01')
    await press(editing, shared.save)
    await hears(page, t.editing.done('azure'))
    await tests(page, credential)
    expect(azure.requests.at(-1)?.path).toContain('api-version=2024-12-01')

    // From an application to the resource's key, and back.
    await press(credential, `${t.change} default`)
    const changing = page.getByRole('dialog', { name: t.replacing.changeTitle('default') })
    await field(changing, words.signIn).selectOption('static.secret')
    await fill(changing, words.secrets['static.secret'], KEY)
    await press(changing, t.replacing.action)
    await changing.waitFor({ state: 'detached' })
    await tests(page, credential)
    expect(azure.requests.at(-1)?.headers['api-key']).toBe(KEY)
    await press(credential, `${t.change} default`)
    await field(changing, words.signIn).selectOption('azure.client_secret')
    await fill(changing, words.settings.tenant_id, TENANT)
    await fill(changing, words.settings.client_id, CLIENT)
    await fill(changing, words.secrets['azure.client_secret'], 'no-secret-of-it')
    await press(changing, t.replacing.action)
    await changing.waitFor({ state: 'detached' })
    await press(credential, `${t.test} default`)
    const testing = page.getByRole('dialog', { name: t.testing.title('default') })
    await press(testing, t.testing.send)
    await reads(testing, 'AADSTS7000215')
    await reads(testing, language === 'en' ? 'Create a new one for the application' : '请为该应用新建一个')
    await page.keyboard.press('Escape')
    // What needs an admin says it, too.
    await page.goto(`${place.origin}/console/admin`)
    const row = page.getByRole('listitem').filter({ hasText: operations.items.credential_held('default', 'azure') })
    await reads(row, language === 'en' ? 'Create a new one for the application' : '请为该应用新建一个')
  })

  test('the key file of a service account is all that Vertex AI needs, in five clicks', async () => {
    const { page, drawer, choose, clicks } = await opened()
    await choose('Google Vertex AI')
    await type(drawer, words.secrets['gcp.service_account'], KEY_FILE)
    await press(drawer, t.adding.look)
    await drawer.getByRole('checkbox', { name: GEMINI, exact: true }).click()
    await isServed(drawer, GEMINI)
    expect(await clicks()).toBeLessThanOrEqual(5)
    expect(await stored('vertex')).toMatchObject({
      base_url: 'https://aiplatform.googleapis.com/v1/projects/fake-project/locations/global',
      dialect: 'vertex',
      protocol: 'gemini',
      credentials: [{ kind: 'gcp', settings: { source: 'service_account' } }],
    })
    const asked = vertex.requests.at(-1)
    expect(asked?.path).toContain(`/publishers/google/models/${GEMINI}:`)
    expect(asked?.headers.authorization).toMatch(/^Bearer ya29\./)
    const credential = await toItsPage(page, drawer)
    await reads(credential, words.sources['gcp.service_account'])
    // As whom it asks is changed without the file.
    await press(credential, `${t.change} default`)
    const changing = page.getByRole('dialog', { name: t.replacing.changeTitle('default') })
    await fill(changing, words.settings.impersonate, IMPERSONATED)
    await press(changing, t.replacing.action)
    await changing.waitFor({ state: 'detached' })
    await reads(credential, IMPERSONATED)
    await tests(page, credential)
  })

  test('an API key of Bedrock lists its models and profiles, and one answers in five clicks', async () => {
    const { page, drawer, choose, clicks } = await opened()
    await choose('Amazon Bedrock')
    await page.keyboard.insertText('us-east-1')
    await type(drawer, t.adding.secrets, KEY)
    await press(drawer, t.adding.look)
    await drawer.getByRole('checkbox', { name: CLAUDE, exact: true }).click()
    await isServed(drawer, CLAUDE)
    expect(await clicks()).toBeLessThanOrEqual(5)
    expect(await stored('bedrock')).toMatchObject({
      base_url: 'https://bedrock-runtime.us-east-1.amazonaws.com',
      dialect: 'bedrock',
      protocol: 'anthropic',
      credentials: [{ kind: 'static' }],
    })
    const asked = bedrock.requests.at(-1)
    expect(asked?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(decodeURIComponent(asked?.target ?? '')).toContain(`/model/${CLAUDE}/invoke`)
  })

  test.each([
    ['Ollama', 'ollama', 11_434],
    ['vLLM', 'vllm', 8_000],
  ] as const)('%s on this machine is offered by its name, and connected by one click', async (name, id, port) => {
    const { drawer, clicks } = await opened()
    await drawer.getByRole('button', { name: new RegExp(`^${name} 127\\.0\\.0\\.1:${port}`) }).click()
    await drawer.getByRole('checkbox', { name: 'fake/echo', exact: true }).click()
    await type(drawer, t.adding.inputOf('fake/echo'), '1')
    await type(drawer, t.adding.outputOf('fake/echo'), '2')
    await press(drawer, t.adding.createWith(1))
    await reads(drawer, t.testing.good)
    expect(await clicks()).toBeLessThanOrEqual(5)
    expect(await stored(id)).toMatchObject({
      base_url: `http://127.0.0.1:${port}/v1`,
      protocol: 'openai-chat',
      has_credential: false,
      credentials: [],
    })
  })
})
