import { beforeAll, describe, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { content, eventually, fill, press, reads, take } from './reading.ts'
import { visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'

interface Answered {
  readonly candidates: readonly object[]
}

/** The number of keys that are offered without a search. */
const KEYS_OFFERED = 20

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

describe.each(walkedIn('en'))('in $language', ({ language, diagnose, faults, key, record, shared }) => {
  test('a live test sends a real request with the chosen key, model and protocol', async () => {
    const ada = await place.person({ balance: '1' })
    for (const name of ['other', 'laptop']) await ada.ask('POST', '/api/keys', { name, group: 'default' })
    const { body } = await ada.ask('GET', '/api/keys')
    const { id, secret_end: end } = body.data.find(({ name }: { name: string }) => name === 'laptop')
    const { page, open } = await visit(place, { language, as: ada })
    await open('/diagnose')
    const section = page.getByRole('region', { name: diagnose.test })
    await section.getByRole('combobox', { name: diagnose.key }).selectOption({ label: `laptop · …${end}` })
    await reads(section, diagnose.liveNeeds)
    await section.getByRole('combobox', { name: diagnose.model }).selectOption('demo/echo')
    await section.getByRole('combobox', { name: diagnose.protocol }).selectOption('anthropic-messages')
    await press(section, key.message.send)
    await reads(section, key.message.answered('demo/echo'))
    const { data } = (await ada.ask('GET', '/api/usage')).body
    expect(data).toMatchObject([
      { key_id: id, model: 'demo/echo', protocol: 'anthropic-messages', outcome: 'completed' },
    ])

    // Judged without a request, it leads to the playground with the same three.
    await press(section, diagnose.check)
    await reads(content(page), diagnose.passesNow)
    const link = page.getByRole('link', { name: shared.tryIt, exact: true })
    const { searchParams } = new URL((await link.getAttribute('href')) ?? '', place.origin)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      model: 'demo/echo',
      key: id,
      protocol: 'anthropic-messages',
    })
    await link.click()
    await page.getByRole('heading', { name: shared.pages.playground, level: 1 }).waitFor()
    await eventually(() => page.getByRole('combobox', { name: diagnose.protocol }).inputValue()).toBe(
      'anthropic-messages',
    )
  })

  longTest('staff see where a request of any account and key would go, and what would refuse it', async () => {
    const t = diagnose.explain
    const eva = await place.person({ balance: '1' })
    await eva.ask('POST', '/api/keys', { name: 'only echo', group: 'default', allowed_models: ['demo/echo'] })
    const { page, context, open } = await visit(place, { language, as: await place.person({ role: 'auditor' }) })
    await open('/diagnose')
    const section = page.getByRole('region', { name: t.title, exact: true })
    const account = section.getByRole('combobox', { name: t.account, exact: true })
    await take(page, account, eva.email)
    await reads(section.getByRole('combobox', { name: t.keyOf }), 'only echo')
    await section.getByRole('combobox', { name: diagnose.model }).selectOption('demo/echo')
    await press(section, t.action)
    await reads(section, t.goes('default', '×1'))
    await reads(section.getByRole('list', { name: t.targets }), record.routeReasons.taken)
    await section.getByRole('combobox', { name: diagnose.model }).selectOption('demo/reasoner')
    await press(section, t.action)
    await reads(section, t.refused(faults.model_not_allowed.title))

    // Of the same answer, once none of its targets may be asked, and once one is asked after a moment.
    await section.getByRole('combobox', { name: diagnose.model }).selectOption('demo/echo')
    let changed: (answer: Answered) => object = (answer) => ({ ...answer, fault: 'upstream_unavailable' })
    await context.route('**/api/route?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), ...changed(await response.json()) } })
    })
    await press(section, t.action)
    await reads(section, t.refused(faults.upstream_unavailable.title))
    expect(await section.innerText()).not.toContain(t.goes('default', '×1'))
    changed = ({ candidates }) => ({
      candidates: candidates.map((each) => ({ ...each, reason: 'load', wait_ms: 100 })),
    })
    await section.getByRole('combobox', { name: diagnose.protocol }).selectOption('anthropic-messages')
    await press(section, t.action)
    await reads(section, t.goes('default', '×1'))
    await reads(section.getByRole('list', { name: t.targets }), t.waits(language === 'en' ? '100 ms' : '100 毫秒'))

    // How much of its limits is used now.
    const limit = { of: 'account', type: 'requests_per_minute', limit: 60, used: 12 }
    changed = () => ({ limits: [{ ...limit, resets_at: new Date(Date.now() + 30_000).toISOString() }] })
    await section.getByRole('combobox', { name: diagnose.protocol }).selectOption('openai-responses')
    await press(section, t.action)
    const limits = section.getByRole('list', { name: t.limits })
    await reads(limits, t.limitOf.account(key.detail.counted.requests_per_minute))
    await reads(limits, key.detail.of('12', '60'))

    // A rule in shadow that speaks against a target stands beside why it is called.
    const shadow = ['requests_per_minute', 'spend_per_day'] as const
    changed = ({ candidates }) => ({ candidates: candidates.map((each) => ({ ...each, shadow })) })
    await section.getByRole('combobox', { name: diagnose.protocol }).selectOption('openai-chat')
    await press(section, t.action)
    const would = record.routeShadow(shadow.map((rule) => record.shadowRules[rule]))
    await reads(section.getByRole('list', { name: t.targets }), would)

    const user = await visit(place, { language, as: eva })
    await user.open('/diagnose')
    await reads(content(user.page), diagnose.live)
    expect(await user.page.getByRole('region', { name: t.title, exact: true }).count()).toBe(0)
  })

  longTest(
    'of an account with many keys each can be looked for, and a search ends with the choice of another account',
    async () => {
      const t = diagnose.explain
      const [many, other] = [await place.person({ balance: '1' }), await place.person({ balance: '1' })]
      for (let index = 0; index <= KEYS_OFFERED; index += 1)
        await many.ask('POST', '/api/keys', { name: `many ${index}`, group: 'default' })
      await other.ask('POST', '/api/keys', { name: 'another', group: 'default' })
      const { page, open } = await visit(place, { language, as: await place.person({ role: 'auditor' }) })
      await open('/diagnose')
      const section = page.getByRole('region', { name: t.title, exact: true })
      const account = section.getByRole('combobox', { name: t.account, exact: true })
      const choose = ({ email }: { email: string }) => take(page, account, email)
      await choose(many)
      await fill(section, diagnose.findKey, `many ${KEYS_OFFERED}`)
      await eventually(() => section.getByRole('combobox', { name: t.keyOf }).innerText()).toMatch(
        new RegExp(`^many ${KEYS_OFFERED} `),
      )
      await fill(section, diagnose.findKey, 'not there')
      await eventually(() => section.getByRole('combobox', { name: t.keyOf }).innerText()).toBe('')
      expect(await section.innerText()).not.toContain(diagnose.noKeyYet)
      await choose(other)
      await reads(section.getByRole('combobox', { name: t.keyOf }), 'another')
    },
  )
})
