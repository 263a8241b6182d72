import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeAzure, startFakeAzure } from '../../tools/fake-upstream/clouds/azure.ts'
import { type FakeBedrock, startFakeBedrock } from '../../tools/fake-upstream/clouds/bedrock.ts'
import { type FakeVertex, startFakeVertex } from '../../tools/fake-upstream/clouds/vertex.ts'
import { type FakeUpstream, startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { withStandIns } from '../support/vendor-stand-in.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { eventually, field, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// From New upstream to a first answer of each cloud, as people have what its pages show them.

const RESOURCE = 'https://my-resource.openai.azure.com'
const KEY = 'the-key-of-a-resource-9f3Q'
const ACCESS_KEY = 'AKIAIOSFODNN7EXAMPLE'

let fake: FakeUpstream
let azure: FakeAzure
let vertex: FakeVertex
let bedrock: FakeBedrock
let place: OwnPlace
let root: Person
beforeAll(async () => {
  fake = await startFakeUpstream()
  const deployments = { 'gpt-4o': { model: 'fake/echo' }, 'our-own': { model: 'fake/echo' } }
  azure = await startFakeAzure({ upstream: fake.url, key: KEY, deployments })
  vertex = await startFakeVertex({ upstream: fake.url, apiKey: KEY })
  bedrock = await startFakeBedrock({
    upstream: fake,
    keys: { [ACCESS_KEY]: { secretAccessKey: KEY, sessionToken: null } },
  })
  const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port)
  const standIns = {
    '.openai.azure.com': portOf(azure),
    'aiplatform.googleapis.com': portOf(vertex),
    '.amazonaws.com': portOf(bedrock),
  }
  place = await startPlace(withStandIns(standIns))
  root = await place.person({ role: 'admin' })
})
afterAll(async () => {
  await place.stop()
  azure.close()
  await Promise.all([vertex.close(), bedrock.close(), fake.close()])
})

const COUNT_CLICKS =
  'globalThis.clicks = 0; addEventListener("pointerdown", () => { globalThis.clicks += 1 }, { capture: true })'

describe.each(walkedIn('en'))('in $language', ({ language, upstreams: t, connecting: words }) => {
  const opened = async () => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/upstreams?new=upstream')
    await page.evaluate(COUNT_CLICKS)
    const drawer = page.getByRole('dialog', { name: t.new })
    const choose = (name: string) => drawer.getByRole('button', { name }).click()
    return { page, drawer, choose, clicks: () => page.evaluate('globalThis.clicks') }
  }
  const stored = async (name: string) => (await root.ask('GET', `/api/upstreams?search=${name}`)).body.data.at(-1)

  // BerriAI/litellm 8572: three forms of the URL, each a 404 there.
  test('a target URI of Azure is taken apart, its deployment is served at the list price, in four clicks', async () => {
    const { page, drawer, choose, clicks } = await opened()
    await choose('Azure OpenAI')
    const target = `${RESOURCE}/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21`
    await page.keyboard.insertText(target)
    await field(drawer, t.adding.secrets).click()
    await page.keyboard.insertText(KEY)
    await press(drawer, t.adding.look)
    // Of the deployments the one that was pasted is ticked already.
    await drawer.getByRole('checkbox', { name: 'our-own', exact: true }).waitFor()
    await eventually(() => drawer.getByRole('textbox', { name: t.adding.inputOf('gpt-4o') }).inputValue()).toBe('2.5')
    await press(drawer, t.adding.createWith(1))
    await reads(drawer, t.testing.good)
    expect(await clicks()).toBeLessThanOrEqual(4)
    expect(await stored('azure')).toMatchObject({
      name: 'azure',
      protocol: 'openai-chat',
      base_url: `${RESOURCE}/openai`,
      dialect: 'azure',
      api_version: '2024-10-21',
      models: ['gpt-4o'],
    })
    expect(azure.requests.at(-1)?.path).toBe('/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21')
  })

  test('the name of a resource is enough, and its own deployments are offered', async () => {
    const { page, drawer, choose } = await opened()
    await choose('Azure OpenAI')
    await page.keyboard.insertText('my-resource')
    await fill(drawer, t.adding.secrets, KEY)
    await press(drawer, t.adding.look)
    await drawer.getByRole('checkbox', { name: 'our-own', exact: true }).click()
    await fill(drawer, t.adding.inputOf('our-own'), '1')
    await fill(drawer, t.adding.outputOf('our-own'), '2')
    await press(drawer, t.adding.createWith(1))
    await reads(drawer, t.testing.good)
    expect(await stored('azure-2')).toMatchObject({ protocol: 'openai', base_url: `${RESOURCE}/openai/v1` })
  })

  // clusterzx/paperless-ai 246: as any other address, such a URL never worked.
  test('an address of Azure that is pasted as any other is recognised', async () => {
    const { drawer } = await opened()
    await fill(drawer, t.adding.url, `${RESOURCE}/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21`)
    await press(drawer, words.setUpAs('Azure OpenAI'))
    await eventually(() => field(drawer, words.target).inputValue()).toContain('api-version')
  })

  test('what Azure lacks is said beside the field', async () => {
    const { drawer, choose } = await opened()
    await choose('Azure OpenAI')
    await press(drawer, t.adding.look)
    await eventually(() => field(drawer, words.target).getAttribute('aria-invalid')).toBe('true')
    await fill(drawer, words.target, 'two words')
    await field(drawer, words.signIn).selectOption('azure.client_secret')
    await press(drawer, t.adding.look)
    await reads(drawer, words.problems.azureForm)
    for (const name of [words.settings.tenant_id, words.settings.client_id, words.secrets['azure.client_secret']]) {
      await eventually(() => field(drawer, name).getAttribute('aria-invalid')).toBe('true')
    }
  })

  test('access keys sign the calls of Bedrock, whose models are named where its list cannot be read', async () => {
    const { page, drawer, choose } = await opened()
    await choose('Amazon Bedrock')
    await page.keyboard.insertText('us-east-1')
    await field(drawer, words.signIn).selectOption('aws.keys')
    await fill(drawer, words.settings.access_key_id, ACCESS_KEY)
    await fill(drawer, words.secrets['aws.keys'], KEY)
    await press(drawer, t.adding.look)
    const byName = drawer.getByRole('button', { name: words.continueWithout })
    await byName.or(field(drawer, words.modelName)).first().waitFor()
    if (await byName.isVisible()) await byName.click()
    await fill(drawer, words.modelName, 'fake/echo')
    await page.keyboard.press('Enter')
    await fill(drawer, t.adding.inputOf('fake/echo'), '1')
    await fill(drawer, t.adding.outputOf('fake/echo'), '2')
    await press(drawer, t.adding.createWith(1))
    await reads(drawer, t.testing.good)
    expect(await stored('bedrock')).toMatchObject({
      base_url: 'https://bedrock-runtime.us-east-1.amazonaws.com',
      dialect: 'bedrock',
      protocol: 'anthropic',
      credentials: [{ kind: 'aws', settings: { source: 'keys', access_key_id: ACCESS_KEY } }],
    })
    // How the credential is got at is shown, and can be changed.
    await drawer.getByRole('link', { name: t.adding.open }).click()
    const credential = page.getByRole('listitem', { name: 'default', exact: true })
    await reads(credential, words.sources['aws.keys'])
    await press(credential, `${t.change} default`)
    const changing = page.getByRole('dialog', { name: t.replacing.changeTitle('default') })
    await fill(changing, words.settings.role_arn, 'arn:aws:iam::123456789012:role/models')
    await press(changing, t.replacing.action)
    await changing.waitFor({ state: 'detached' })
    expect((await stored('bedrock')).credentials[0].settings).toMatchObject({ role_arn: expect.any(String) })
  })

  // RooCodeInc/Roo-Code 3953 and BerriAI/litellm 10115: a key file that is not whole, or not one, was found out by a request.
  test('the key file of a service account says its project, and half of one is refused beside the field', async () => {
    const { drawer, choose } = await opened()
    await choose('Google Vertex AI')
    const file = field(drawer, words.secrets['gcp.service_account'])
    await file.fill('{"type": "service_account", "project_id": "my-')
    await press(drawer, t.adding.look)
    await reads(drawer, words.problems.jsonForm)
    await file.fill('{"type":"authorized_user","project_id":"my-project"}')
    await press(drawer, t.adding.look)
    await reads(drawer, words.problems.serviceAccountForm)
    expect(await field(drawer, words.project).getAttribute('placeholder')).toBe('my-project')
  })
})
