import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { arrives, eventually, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// A subscription that its owner has renewed from the balance, on the page Billing.

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace()
  await place.admin('POST', '/api/plans', { name: 'pro', groups: ['default'], days: 30, price: '20' })
})
afterAll(() => place.stop())

test.each(walkedIn('en'))(
  'a renewal is turned on for the price that is shown, agreed to anew when the plan costs more, and turned off, in $language',
  async ({ language, billing, shared }) => {
    const { body: plans } = await place.admin('GET', '/api/plans')
    const [plan] = plans.data
    await place.admin('PATCH', `/api/plans/${plan.id}`, { price: '20' })
    const ada = await place.person({ balance: '50' })
    await place.admin('POST', `/api/accounts/${ada.id}/subscriptions`, { plan: 'pro' })
    const upTo = async () => (await ada.ask('GET', '/api/subscriptions')).body.data[0].renews_up_to
    const { page, open } = await visit(place, { language, as: ada })
    await open('/billing')
    await arrives(page, shared.pages.billing)
    const t = billing.subscriptions
    const section = page.getByRole('region', { name: t.title })
    const toggle = section.getByRole('switch', { name: t.renewal.label })
    await reads(section, t.renewal.off('$20.00'))
    // Read in the event itself: what was chosen is shown before the gateway has answered, and not taken back until then.
    const pressed = await toggle.evaluate((element) => {
      const box = element as unknown as { click(): void; readonly checked: boolean }
      box.click()
      return box.checked
    })
    expect(pressed).toBe(true)
    await reads(section, t.renewal.on('$20.00'))
    await eventually(upTo).toBe('20')

    await place.admin('PATCH', `/api/plans/${plan.id}`, { price: '25' })
    await open('/billing')
    await reads(section, t.renewal.dearer('$25.00'))
    await press(section, t.renewal.agree('$25.00'))
    await reads(section, t.renewal.on('$25.00'))
    await eventually(upTo).toBe('25')

    await toggle.uncheck()
    await reads(section, t.renewal.off('$25.00'))
    await eventually(upTo).toBeNull()
  },
)
