import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { eventually, fill, press, reads, readsNoMore } from './reading.ts'
import { visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'

// What is offered to set a client up with: the model, the link, and what stands in the way.

let place: OwnPlace

beforeAll(async () => {
  place = await startPlace()
  const targets = [{ upstream: 'demo', model: 'demo/echo' }]
  const price = { input: '0.5', output: '1.5' }
  // The first of the list by its name, and by its price.
  await place.admin('POST', '/api/models', { name: 'bge-m3', price: { input: '0.01', output: '0' }, targets })
  await place.admin('POST', '/api/models', { name: 'demo/dear', price: { input: '500', output: '900' }, targets })
  await place.admin('POST', '/api/models', { name: 'demo/liked', price, targets, recommended: true })
})

afterAll(() => place.stop())

describe.each(walkedIn('zh-CN'))('in $language', (texts) => {
  const { favourites, language, keys, models, start } = texts

  test('the recommended model is in the block, and no model that answers no conversation can be chosen for it', async () => {
    const { page } = await onKey('/overview')
    await page.getByRole('radio', { name: 'curl', exact: true }).check()
    await reads(page.getByRole('main'), '"model":"demo/liked"')
    await page.getByText(start.enter.more, { exact: true }).click()
    const choices = page.getByRole('combobox', { name: keys.setUp.model }).getByRole('option')
    const names = await choices.allInnerTexts()
    expect(names).toContain('demo/dear')
    expect(names).not.toContain('bge-m3')
  })

  longTest(
    'a favourite that is marked on the page of models is offered first and stands in files, and all models at a choice',
    async () => {
      const { page, open } = await onKey('/models')
      await press(page, favourites.mark('demo/tools'))
      const star = page.getByRole('button', { name: favourites.mark('demo/tools'), exact: true })
      await eventually(() => star.getAttribute('aria-pressed')).toBe('true')
      await open('/keys')
      await page.getByRole('button', { name: keys.actionsOf('laptop'), exact: true }).click()
      await page.getByRole('menuitem', { name: keys.use, exact: true }).click()
      const drawer = page.getByRole('dialog', { name: keys.setUp.drawerTitle('laptop') })
      await drawer.getByRole('radio', { name: 'opencode' }).check()
      await reads(drawer, '"demo/tools": {')
      await reads(drawer, '"demo/liked": {')
      expect(await drawer.innerText()).not.toContain('"demo/dear": {')
      const picker = drawer.getByRole('combobox', { name: keys.setUp.model, exact: true })
      expect((await picker.getByRole('option').allInnerTexts())[0]).toContain('demo/tools')
      await picker.selectOption('demo/tools')
      await reads(drawer, '"model": "tollgate/demo/tools"')
      await drawer.getByRole('combobox', { name: keys.setUp.listed }).selectOption('all')
      await reads(drawer, '"demo/dear": {')
      await press(drawer, favourites.mark('demo/tools'))
      await eventually(() => star.first().getAttribute('aria-pressed')).toBe('false')
    },
  )

  test('a program with an import link is set up by one press, above its fields', async () => {
    const { page, secret, copied } = await onKey('/keys')
    await page.getByRole('button', { name: keys.actionsOf('laptop'), exact: true }).click()
    await page.getByRole('menuitem', { name: keys.use, exact: true }).click()
    const drawer = page.getByRole('dialog', { name: keys.setUp.drawerTitle('laptop') })
    await drawer.getByRole('radio', { name: 'Cherry Studio' }).check()
    await drawer.getByRole('heading', { name: keys.setUp.byLink('Cherry Studio') }).waitFor()
    await reads(drawer, keys.setUp.byHand)
    await fill(drawer, keys.setUp.secretEntry, secret)
    await drawer.getByRole('button', { name: keys.importing.open('Cherry Studio') }).waitFor()
    await press(drawer, keys.importing.copyLink)
    await eventually(() => copied.at(-1) ?? '').toMatch(/^cherrystudio:/)
    await reads(drawer, language === 'en' ? 'API Host' : 'API 地址（API Host）')
    await drawer
      .getByRole('button', { name: new RegExp(keys.setUp.allClients(0).replace('0', String.raw`\d+`)) })
      .click()
    await drawer.getByRole('searchbox', { name: keys.setUp.searchClients }).fill('ze')
    await drawer.getByRole('radio', { name: 'Zed' }).check()
    await readsNoMore(drawer, keys.setUp.byHand)
    await drawer.getByRole('searchbox', { name: keys.setUp.searchClients }).fill('roo')
    await drawer.getByRole('radio', { name: 'Roo Code' }).check()
    await reads(drawer, language === 'en' ? 'Base URL' : 'OpenAI 基础 URL（Base URL）')
  })

  longTest('on Start, too, a program with an import link is set up by one press', async () => {
    const { page, copied } = await onKey('/overview')
    await page.getByRole('button', { name: start.key.newSecret, exact: true }).click()
    const steps = page.getByRole('list', { name: start.steps })
    await reads(steps, /sk-tg-\w{46}/)
    await page.getByRole('radio', { name: 'Cherry Studio', exact: true }).check()
    await steps.getByRole('heading', { name: keys.setUp.byLink('Cherry Studio') }).waitFor()
    await press(steps, keys.importing.copyLink)
    await eventually(() => copied.at(-1) ?? '').toMatch(/^cherrystudio:/)
  })

  longTest('what is to be copied is in sight without scrolling, on a laptop and on a phone', async () => {
    const { page, open } = await onKey('/models')
    for (const { width, height } of [
      { width: 1280, height: 860 },
      { width: 360, height: 740 },
    ]) {
      await page.setViewportSize({ width, height })
      await open('/keys')
      await page.getByRole('button', { name: keys.useOf('laptop') }).click()
      const block = page.getByRole('dialog').getByRole('code').filter({ hasText: place.origin }).first()
      await block.waitFor()
      // Two lines of it at least.
      await eventually(async () => (await block.boundingBox())?.y).toBeLessThan(height - 50)
    }
  })

  longTest('a client that cannot reach the gateway is said to, before its fields', async () => {
    const { page } = await onKey('/overview')
    await page.getByRole('radio', { name: 'Cursor', exact: true }).check()
    await reads(page.getByRole('main'), keys.setUp.outOfReach('Cursor', place.origin))
    await page.getByRole('button', { name: new RegExp(start.client.all(0).replace('0', String.raw`\d+`)) }).click()
    await page.getByRole('radio', { name: 'Open WebUI', exact: true }).check()
    await readsNoMore(page.getByRole('main'), keys.setUp.outOfReach('Cursor', place.origin))
    await reads(page.getByRole('main'), place.origin.replace('localhost', 'host.docker.internal'))
  })

  longTest('the list of models says of each what it does, unless it is chat, and which is recommended', async () => {
    const { page, open } = await onKey('/models')
    const row = page.getByRole('row').filter({ hasText: 'bge-m3' })
    await reads(row, models.modelKinds.embedding)
    await reads(page.getByRole('row').filter({ hasText: 'demo/liked' }), models.recommended)
    await open('/models?model=bge-m3')
    const { embedding } = models.modelKinds
    await reads(page.getByRole('dialog', { name: 'bge-m3' }), models.kindKnown(embedding, models.kindEvidence.name))
  })

  /** A page of an account with one key, which has money. */
  async function onKey(path: string) {
    const ada: Person = await place.person({ balance: '5' })
    const { body } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    const visited = await visit(place, { language, as: ada })
    await visited.open(path)
    return { ...visited, secret: body.secret as string }
  }
})
