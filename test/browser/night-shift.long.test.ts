import { mkdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { formatList } from '../../console/format/list.ts'
import { type FakeUpstream, startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { LANGUAGES, type Texts, walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace, startPlaceIn } from './place.ts'
import { arrives, content, eventually, field, fill, hears, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// What those who run an installation do with it on its first day, and in a bad night: by the pages alone.

const FULL_DISK = new URL('../support/preload-full-disk.ts', import.meta.url)
const CLOCK = new URL('../faults/clock-of-gateway.ts', import.meta.url)
const CLOCK_AHEAD_MS = 90_000
const SECRET = 'the-credential-of-this-provider-9f3Q'
/** A model that is not there. */
const ASKED_FOR = 'demo/ecco'

test.each(walkedIn('en'))(
  'from an empty directory to a first answer of a provider by the pages alone, in $language',
  async ({ language, outside, operations, upstreams: t, shared }) => {
    const [fake, place] = await Promise.all([startFakeUpstream({ requiredCredential: SECRET }), startPlace()])
    onTestFinished(async () => {
      await Promise.all([fake.close(), place.stop()])
    })
    const { page } = await visit(place, { language })
    await page.goto(place.setUpLink)
    await press(page, outside.setUp.actionDemo)
    await page
      .getByRole('navigation', { name: shared.sides.label })
      .getByRole('link', { name: shared.sides.admin })
      .click()
    await arrives(page, operations.title)
    await page.getByRole('link', { name: operations.setup.steps.provider }).click()
    const drawer = page.getByRole('dialog', { name: t.new })
    await fill(drawer, t.adding.url, `${fake.url}/v1`)
    await fill(drawer, t.adding.secrets, SECRET)
    await drawer.getByText(t.adding.more).click()
    await fill(drawer, t.adding.name, 'provider')
    await press(drawer, t.adding.look)
    await drawer.getByRole('checkbox', { name: 'fake/echo', exact: true }).check()
    await drawer.getByRole('textbox', { name: t.adding.inputOf('fake/echo') }).fill('1')
    await drawer.getByRole('textbox', { name: t.adding.outputOf('fake/echo') }).fill('2')
    await press(drawer, t.adding.createWith(1))
    await reads(drawer, t.testing.good)
    expect(fake.requests.some(({ body }) => body.includes('"fake/echo"'))).toBe(true)
  },
)

/** A problem as the overview names it, and what stands on the page that its button leads to. */
type Problem = readonly [name: string, title: (t: Texts['operations']) => string, leadsTo: string]

describe('a night shift', () => {
  let place: OwnPlace
  let fake: FakeUpstream
  let root: Person
  let poor: Person

  beforeAll(async () => {
    const backups = join(await temporaryDirectory(), 'backups')
    await mkdir(backups)
    fake = await startFakeUpstream({ requiredCredential: SECRET })
    const directory = await temporaryDirectory()
    const clockFile = join(backups, '..', 'clock')
    await writeFile(clockFile, String(CLOCK_AHEAD_MS))
    place = await startPlaceIn(directory, {
      TOLLGATE_BACKUP_FILES: backups,
      NODE_OPTIONS: `--import=${FULL_DISK.href} --import=${CLOCK.href}`,
      FULL_DISK_OF: directory,
      FAULTS_CLOCK_FILE: clockFile,
    })
    root = await place.person({ role: 'admin' })
    poor = await place.person()
    await plant()
  })
  afterAll(() => Promise.all([place.stop(), fake.close()]))

  const problems = (both: string, { audit }: Texts): readonly Problem[] => [
    ['a dead credential', (t) => t.items.credential_held('default', 'dead'), 'dead'],
    ['a credential at its cap', (t) => t.items.spend_cap('capped · default', spent('0.001')), 'capped'],
    ['an upstream at its cap', (t) => t.items.spend_cap('whole', spent('0.001')), 'whole'],
    ['a target at its cap', (t) => t.items.spend_cap('part · of-part', spent('0.001')), 'part'],
    ['a provider that does not answer', (t) => t.items.upstream_failing('broken', BROKEN), 'broken'],
    ['a model without a target', (t) => t.items.no_target('nowhere', both), 'nowhere'],
    ['a group without a target', (t) => t.items.no_target('vip-only', 'default'), 'vip-only'],
    ['a margin that no target leaves', (t) => t.items.no_margin('too-thin', both), 'too-thin'],
    ['a price off by 10×', (t) => t.items.below_cost('too-cheap', 'default', 'working'), 'too-cheap'],
    ['a model without a price', (t) => t.items.unpriced('priceless'), 'priceless'],
    ['a model that is asked for and not there', (t) => t.items.model_unknown(ASKED_FOR), ASKED_FOR],
    ['an account without a balance', (t) => t.items.no_balance(poor.email), poor.email],
    ['no backup', (t) => t.items.no_backup, hostname()],
    ['a disk at 95 %', (t) => t.items.disk_full('data', '95%'), hostname()],
    ['a price far off the list', (t) => t.items.price_differs(LISTED, OFF_LIST), LISTED],
    [
      'passwords that are guessed',
      (t) => t.items.sign_ins_failing(String(GUESSES)),
      audit.sentences[GUESSED_ACTION] ?? '',
    ],
    [
      'a clock that is off',
      (t) => t.items.clock_off(hostname(), { by: SPENT, isAhead: true, of: 'providers' }),
      hostname(),
    ],
  ]

  test.each(walkedIn('zh-CN'))(
    'finds each of 17 problems on the overview, one press from its page, in $language',
    async (texts) => {
      const { page, open } = await visit(place, { language: texts.language, as: root })
      const all = problems(formatList(['default', 'vip'], texts.language), texts)
      expect(all).toHaveLength(17)
      for (const [name, titleOf, leadsTo] of all) {
        await open('/admin')
        const item = itemOf(page, texts, titleOf(texts.operations))
        await eventually(async () => `${name}: ${await item.count()}`).toBe(`${name}: 1`)
        await item.getByRole('link').click()
        await eventually(() => page.url()).not.toMatch(/\/admin$/)
        // What is asked for and not there is added in a dialog.
        const dialog = page.getByRole('dialog', { name: texts.prices.adding.title })
        if (leadsTo === ASKED_FOR)
          await eventually(() => field(dialog, texts.prices.adding.name).inputValue()).toBe(leadsTo)
        else await reads(content(page), leadsTo)
      }
    },
  )

  test('heals on its pages what can be healed there, and the overview names it no more', async () => {
    const [texts] = LANGUAGES
    const { operations, upstreams: u, prices: p, models: m, accounts: a, shared } = texts
    const { page, open } = await visit(place, { language: texts.language, as: root })
    const begin = async (title: string): Promise<void> => {
      await open('/admin')
      await itemOf(page, texts, title).first().getByRole('link').click()
    }
    const gone = async (title: string): Promise<void> => {
      await open('/admin')
      await arrives(page, operations.title)
      await itemOf(page, texts, titleOf('no backup')).waitFor()
      await eventually(async () => `${title}: ${await itemOf(page, texts, title).count()}`).toBe(`${title}: 0`)
    }
    const titleOf = (name: string): string => {
      const found = problems(formatList(['default', 'vip'], texts.language), texts).find(([of]) => of === name)
      if (found === undefined) throw new Error(`no problem is called ${name}`)
      return found[1](operations)
    }
    const openModel = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: new RegExp(name) }).click()
      await arrives(page, name)
    }
    const setPrice = async (input: string, { output = input, isFar = false } = {}): Promise<void> => {
      const editor = page.getByRole('form', { name: p.editor.title })
      await editor.getByLabel(m.kinds.input, { exact: true }).fill(input)
      await editor.getByLabel(m.kinds.output, { exact: true }).fill(output)
      await press(editor, p.editor.save)
      // As far as the slip that is put right.
      if (isFar) await press(page.getByRole('alertdialog'), p.editor.save)
      await hears(page, p.editor.saved('').split(/[ .]/)[0] ?? '')
    }
    const withTargets = async (model: string, change: (form: Locator) => Promise<void>): Promise<void> => {
      await press(page, p.targets.edit)
      const form = page.getByRole('dialog', { name: p.targets.editTitle(model) })
      await change(form)
      await press(form, shared.save)
      await form.waitFor({ state: 'detached' })
    }
    const addTarget = async (form: Locator): Promise<void> => {
      await press(form, p.targets.add)
      await field(form, p.targets.fields.upstream).last().selectOption('working')
      await field(form, p.targets.fields.model).last().fill('fake/echo')
    }

    await begin(titleOf('a dead credential'))
    await press(page, `${u.replace} default`)
    await fill(page.getByRole('dialog'), u.replacing.secret, SECRET)
    await press(page.getByRole('dialog'), u.replacing.action)
    await hears(page, u.replacing.done('default'))
    await gone(titleOf('a dead credential'))

    await begin(titleOf('an upstream at its cap'))
    await press(page, u.editing.action)
    const editing = page.getByRole('dialog', { name: u.editing.title('whole') })
    await fill(editing, u.editing.fields.spend_per_day, '')
    await press(editing, shared.save)
    await hears(page, u.editing.done('whole'))
    await gone(titleOf('an upstream at its cap'))

    await begin(titleOf('a model without a target'))
    await openModel('nowhere')
    await withTargets('nowhere', addTarget)
    await gone(titleOf('a model without a target'))

    await begin(titleOf('a group without a target'))
    await openModel('vip-only')
    await withTargets('vip-only', addTarget)
    await gone(titleOf('a group without a target'))

    await begin(titleOf('a price off by 10×'))
    await openModel('too-cheap')
    await setPrice('20', { isFar: true })
    await gone(titleOf('a price off by 10×'))

    await begin(titleOf('a price far off the list'))
    await openModel(LISTED)
    await setPrice('5', { output: '25', isFar: true })
    await gone(titleOf('a price far off the list'))

    await begin(titleOf('a model without a price'))
    await openModel('priceless')
    await setPrice('2')
    await gone(titleOf('a model without a price'))

    await begin(titleOf('a model that is asked for and not there'))
    const adding = page.getByRole('dialog', { name: p.adding.title })
    await fill(adding, p.adding.input, '1')
    await fill(adding, p.adding.output, '2')
    await field(adding, p.adding.upstream).selectOption('working')
    await fill(adding, p.adding.model, 'fake/echo')
    await press(adding, p.adding.action)
    await arrives(page, ASKED_FOR)
    await gone(titleOf('a model that is asked for and not there'))

    await begin(titleOf('an account without a balance'))
    await press(page, a.credit.action)
    const credit = page.getByRole('dialog', { name: a.credit.title(poor.email) })
    await fill(credit, a.credit.amount, '5')
    await fill(credit, a.credit.reason, 'paid')
    await press(credit, a.credit.action)
    await credit.waitFor({ state: 'detached' })
    await gone(titleOf('an account without a balance'))

    // At its cap a target may be paid for again, or be taken away: here another upstream serves the model from now on.
    await open(`/admin/models?q=of-part`)
    await openModel('of-part')
    await withTargets('of-part', (form) => fill(form, p.targets.fields.spend_per_day, ''))
    await gone(titleOf('a target at its cap'))
  })

  test('puts off what has to wait, which the overview then names no more, and shows it again', async () => {
    const [{ language, operations: t }] = LANGUAGES
    const { page, open } = await visit(place, { language, as: root })
    const title = t.items.no_backup
    const item = itemOf(page, { operations: t }, title)
    await open('/admin')
    await item.getByRole('button', { name: `${t.snooze.action}: ${title}` }).click()
    const dialog = page.getByRole('dialog', { name: t.snooze.title })
    await fill(dialog, t.snooze.reason, 'The disk for it comes tomorrow')
    await press(dialog, t.snooze.action)
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => item.count()).toBe(0)
    await page.getByText(t.snooze.list, { exact: true }).click()
    await reads(content(page), 'The disk for it comes tomorrow')
    await page.getByRole('button', { name: `${t.snooze.wake}: ${title}` }).click()
    await eventually(() => item.count()).toBe(1)
  })

  async function refusedSignIn(email: string): Promise<void> {
    const body = JSON.stringify({ email, password: 'not the password of this account' })
    const headers = { 'content-type': 'application/json', origin: place.origin }
    const answer = await fetch(`${place.origin}/api/auth/sign-in`, { method: 'POST', headers, body })
    expect(answer.status).toBe(401)
  }

  async function plant(): Promise<void> {
    const price = { input: '1000', output: '1000' }
    const upstream = async (name: string, body: object) =>
      place.admin('POST', '/api/upstreams', { name, protocol: 'openai', base_url: `${fake.url}/v1`, ...body })
    const model = async (name: string, body: object) => place.admin('POST', '/api/models', { name, price, ...body })
    const good = { name: 'default', secret: SECRET }
    await upstream('dead', { credentials: [{ name: 'default', secret: 'revoked' }] })
    await upstream('capped', { credentials: [{ ...good, spend_per_day: '0.001' }] })
    await upstream('whole', { credentials: [good], spend_per_day: '0.001' })
    await upstream('part', { credentials: [good] })
    await upstream('working', { credentials: [good] })
    await upstream('broken', { credentials: [good], base_url: 'http://127.0.0.1:1/v1' })
    await place.admin('POST', '/api/groups', { name: 'vip', multiplier: '1' })
    for (const name of ['dead', 'capped', 'whole', 'broken']) {
      await model(`of-${name}`, { targets: [{ upstream: name, model: 'fake/echo' }] })
    }
    await model('of-part', { targets: [{ upstream: 'part', model: 'fake/echo', spend_per_day: '0.001' }] })
    await model('nowhere', {})
    await model('vip-only', { targets: [{ upstream: 'working', model: 'fake/echo', groups: ['vip'] }] })
    const cost = { input: '10', output: '10' }
    const cheap = { input: '1', output: '1' }
    await model('too-cheap', { price: cheap, targets: [{ upstream: 'working', model: 'fake/echo', cost }] })
    const thin = { upstream: 'working', model: 'fake/echo', cost: { factor: '0.9' }, min_margin: '0.2' }
    await model('too-thin', { targets: [thin] })
    await model('priceless', { price: null, targets: [{ upstream: 'working', model: 'fake/echo' }] })
    await model(LISTED, {
      price: { input: '50', output: '250' },
      targets: [{ upstream: 'working', model: 'fake/echo' }],
    })
    for (let guess = 0; guess < GUESSES; guess++) await refusedSignIn(`unknown-${guess}@example.test`)
    const ada = await place.person({ balance: '1000' })
    const keyOf = async (person: Person): Promise<string> =>
      (await person.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })).body.secret
    const secret = await keyOf(ada)
    const ask = (name: string, by = secret) =>
      place.call(by, { model: name, messages: [{ role: 'user', content: 'Hello' }] })
    for (const name of ['of-dead', 'of-capped', 'of-whole', 'of-part', ASKED_FOR]) await ask(name)
    for (let time = 0; time < 6; time++) await ask('of-broken')
    await ask('demo/echo', await keyOf(poor))
  }
})

/** A model of the list of prices that is shipped, at a tenth of what it costs here. */
const LISTED = 'claude-opus-4-5'
const GUESSES = 20
const GUESSED_ACTION = 'sign_in.sign_in_refused'

/** Stands for what was spent, which the test does not know. */
const SPENT = '§'

function spent(limit: string) {
  return { used: SPENT, limit }
}

/** The moment stands in the middle in English, and at the beginning in Chinese. */
const BROKEN = { since: SPENT, why: null, isReachable: false, models: 1, refused: 6, shownRefused: '6' }

/** The amounts and the date come after what is looked for. */
const OFF_LIST = { kind: 'input', ours: SPENT, listed: SPENT, provider: 'anthropic', dated: '' } as const

function itemOf(page: Page, { operations }: Pick<Texts, 'operations'>, title: string) {
  // A Chinese title begins with the moment, and its name and what is wrong come after it.
  const [first = '', second = ''] = title.split(SPENT)
  const start = first.length > 3 ? first : (second.split('：')[0] ?? '')
  return page.getByRole('region', { name: operations.needs }).getByRole('listitem').filter({ hasText: start })
}
