import { beforeAll, describe, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { eventually, fill, press, reads, take, unfold } from './reading.ts'
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

describe.each(walkedIn('en'))('in $language', ({ language, diagnose, faults, key, keys, record, shared }) => {
  test('a key is tested on its page: what it may call, a real message to the model that is chosen, and an error that is pasted', async () => {
    const ada = await place.person({ balance: '1' })
    const { body: made } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    const { page, open } = await visit(place, { language, as: ada })
    await open('/keys')
    await press(page, keys.actionsOf('laptop'))
    await page.getByRole('menuitem', { name: keys.test, exact: true }).click()
    const section = page.getByRole('region', { name: key.testing.title, exact: true })
    await reads(section, keys.testing.good(3))
    await section.getByRole('combobox', { name: key.message.model }).selectOption('demo/reasoner')
    await press(section, key.message.send)
    await reads(section, key.message.answered('demo/reasoner'))
    const { data } = (await ada.ask('GET', '/api/usage')).body
    expect(data).toMatchObject([{ key_id: made.key.id, model: 'demo/reasoner', outcome: 'completed' }])

    // The page stays behind the diagnosis, and its address has both.
    await press(section, key.testing.diagnose)
    const dialog = page.getByRole('dialog', { name: diagnose.title })
    await fill(dialog, diagnose.paste, made.secret.slice(-4))
    await press(dialog, diagnose.submit)
    await reads(dialog, diagnose.passesNowKey)
    expect(new URL(page.url()).pathname).toBe(`/console/keys/${made.key.id}`)
    await press(dialog, shared.close)
    await dialog.waitFor({ state: 'detached' })
    await reads(section, key.message.answered('demo/reasoner'))
  })

  longTest('an address of the page that was leads to the same diagnosis, for staff of any key by its ID', async () => {
    const ada = await place.person({ balance: '1' })
    const { body: made } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    for (const person of [ada, await place.person({ role: 'auditor' })]) {
      const { page, open } = await visit(place, { language, as: person })
      await open(`/diagnose?key=${made.key.id}&seen=key&model=demo%2Fecho`)
      const dialog = page.getByRole('dialog', { name: diagnose.title })
      await reads(dialog, diagnose.passesNow)
      await reads(dialog, 'laptop')
      expect(new URL(page.url()).pathname).toBe('/console/overview')
    }
  })

  longTest('staff see where a request of any account and key would go, and what would refuse it', async () => {
    const t = diagnose.explain
    const eva = await place.person({ balance: '1' })
    await eva.ask('POST', '/api/keys', { name: 'only echo', group: 'default', allowed_models: ['demo/echo'] })
    const { page, context, open } = await visit(place, { language, as: await place.person({ role: 'auditor' }) })
    await open('/diagnose')
    await unfold(page.getByRole('dialog'), t.title)
    const section = page.getByRole('dialog')
    const account = section.getByRole('combobox', { name: t.account, exact: true })
    await take(page, account, eva.email)
    await eventually(() => section.getByRole('combobox', { name: t.keyOf }).inputValue()).toContain('only echo')
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
    await reads(user.page.getByRole('dialog'), diagnose.privacy)
    expect(await user.page.getByText(t.title, { exact: true }).count()).toBe(0)
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
      await unfold(page.getByRole('dialog'), t.title)
      const section = page.getByRole('form', { name: t.title, exact: true })
      const account = section.getByRole('combobox', { name: t.account, exact: true })
      const choose = ({ email }: { email: string }) => take(page, account, email)
      await choose(many)
      const keyOf = section.getByRole('combobox', { name: t.keyOf })
      await keyOf.fill(`many ${KEYS_OFFERED}`)
      await eventually(() => page.getByRole('option').count()).toBe(1)
      await page.getByRole('option').click()
      await eventually(() => keyOf.inputValue()).toContain(`many ${KEYS_OFFERED} `)
      await choose(other)
      await eventually(() => keyOf.inputValue()).toContain('another')
    },
  )
})
