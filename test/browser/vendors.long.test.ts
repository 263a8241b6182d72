import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Vendor, VENDOR_IDS, type VendorId, vendorOf } from '../../console/pages/admin/upstreams/vendors.ts'
import { startVendorStandIn, type VendorStandIn, withStandIns } from '../support/vendor-stand-in.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { eventually, field, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// From New upstream to a first answer, of each vendor by its name: what is clicked on the way is counted.

const SECRET = 'the-key-of-a-vendor-9f3Q'
const MODEL = 'fake/echo'

let standIn: VendorStandIn
let silent: VendorStandIn
let place: OwnPlace
let root: Person
beforeAll(async () => {
  standIn = await startVendorStandIn(SECRET)
  silent = await startVendorStandIn(SECRET, { lists: false })
  place = await startPlace(withStandIns({ 'api.z.ai': silent.port, '': standIn.port }))
  root = await place.person({ role: 'admin' })
})
afterAll(async () => {
  await place.stop()
  await Promise.all([standIn.close(), silent.close()])
})

const BY_KEY = VENDOR_IDS.filter((id) => vendorOf(id).sites.length > 0)

const COUNT_CLICKS =
  'globalThis.clicks = 0; addEventListener("pointerdown", () => { globalThis.clicks += 1 }, { capture: true })'

/** Choosing the vendor and connecting, ticking the model, its two prices, and creating. */
const MOST_CLICKS = 6

describe.each(walkedIn('en'))('in $language', (texts) => {
  const { language, upstreams: t, connecting: words } = texts
  const names: Readonly<Partial<Record<VendorId, string>>> = words.vendors

  const opened = async (): Promise<{ page: Page; drawer: Locator }> => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/upstreams?new=upstream')
    await page.evaluate(COUNT_CLICKS)
    return { page, drawer: page.getByRole('dialog', { name: t.new }) }
  }

  const choose = async (drawer: Locator, id: VendorId): Promise<void> => {
    const { name, also }: Vendor = vendorOf(id)
    await press(drawer, `${names[id] ?? name} ${also}`.trim())
  }

  const servesModel = async (drawer: Locator): Promise<void> => {
    await field(drawer, t.adding.inputOf(MODEL)).click()
    await drawer.page().keyboard.insertText('1')
    await field(drawer, t.adding.outputOf(MODEL)).click()
    await drawer.page().keyboard.insertText('2')
    await press(drawer, t.adding.createWith(1))
    await reads(drawer, t.testing.good)
  }

  test.each(BY_KEY)('%s asks for a key, and a first answer comes in six clicks', async (id) => {
    const { page, drawer } = await opened()
    await choose(drawer, id)
    const [site] = vendorOf(id).sites
    const link = drawer.getByRole('link')
    expect(await link.getAttribute('href')).toBe(site?.keys)
    // Where there is no choice of sites, the key is all there is to type.
    if (vendorOf(id).sites.length === 1) {
      await eventually(() => field(drawer, t.adding.secrets).evaluate((each) => each.matches(':focus'))).toBe(true)
      await page.keyboard.insertText(SECRET)
    } else await fill(drawer, t.adding.secrets, SECRET)
    await press(drawer, t.adding.look)
    await drawer.getByRole('checkbox', { name: MODEL, exact: true }).click()
    await servesModel(drawer)
    expect(await page.evaluate('globalThis.clicks')).toBeLessThanOrEqual(MOST_CLICKS)
    const { body } = await root.ask('GET', `/api/upstreams?search=${id}`)
    expect(body.data.at(-1)).toMatchObject({ protocol: vendorOf(id).protocols[0] })
    expect(standIn.asked.at(-1)).toContain(new URL(site?.baseUrl ?? '').host)
  })

  // langgenius/dify-official-plugins 3460, openclaw/openclaw 25227: a key of one site is refused by the other.
  test('the site of a vendor is chosen by its name, and its keys are made there', async () => {
    const { drawer } = await opened()
    await choose(drawer, 'moonshot')
    await field(drawer, words.site).selectOption('https://api.moonshot.cn/v1')
    expect(await drawer.getByRole('link').getAttribute('href')).toContain('moonshot.cn')
    await fill(drawer, t.adding.secrets, SECRET)
    await press(drawer, t.adding.look)
    await drawer.getByRole('checkbox', { name: MODEL, exact: true }).waitFor()
    expect(standIn.asked.at(-1)).toBe('api.moonshot.cn /v1/models')
  })

  // FerroxLabs/wayland 339, tg-prplx/vellium 7, tingly-dev/tingly-box 7: without a list there was no way on.
  test('a vendor without a list of models is set up by the names of its models', async () => {
    const { page, drawer } = await opened()
    await choose(drawer, 'zhipu')
    await field(drawer, words.site).selectOption('https://api.z.ai/api/paas/v4')
    await fill(drawer, t.adding.secrets, SECRET)
    await press(drawer, t.adding.look)
    await reads(drawer, words.noList)
    await fill(drawer, words.modelName, MODEL)
    await page.keyboard.press('Enter')
    await servesModel(drawer)
    expect(silent.asked.at(-1)).toBe('api.z.ai /api/paas/v4/chat/completions')
  })

  test('any other address without a list is gone on with, too', async () => {
    const { page, drawer } = await opened()
    await fill(drawer, t.adding.url, 'https://api.z.ai/v1/chat/completions')
    await fill(drawer, t.adding.secrets, SECRET)
    await press(drawer, t.adding.look)
    await reads(drawer, t.adding.nothing)
    await press(drawer, words.continueWithout)
    await fill(drawer, words.modelName, MODEL)
    await page.keyboard.press('Enter')
    await servesModel(drawer)
  })

  test('a search finds a vendor by its models, and Enter takes it', async () => {
    const { page, drawer } = await opened()
    await fill(drawer, t.adding.url, 'kimi')
    expect(await drawer.getByRole('listitem').count()).toBe(1)
    await page.keyboard.press('Enter')
    await drawer.getByRole('link').waitFor()
    await press(drawer, words.change)
    await eventually(() => drawer.getByRole('listitem').count()).toBeGreaterThan(10)
  })
})
