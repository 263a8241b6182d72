import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { content, eventually, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

const COPIES = 5

let place: Place
let origin: string
beforeAll(async () => {
  place = await sharedPlace()
  // As in a local network: a name, no certificate. The browser of the tests finds it on this machine.
  origin = place.origin.replace('localhost', 'tollgate.lan.test')
})

/** Presses a button that copies, and pastes into a field. Another test may copy at the same moment, into the same clipboard. */
async function copiesAndPastes(page: Page, button: string, into: () => Promise<string>): Promise<string[]> {
  const pasted: string[] = []
  for (let tries = 0; tries < COPIES; tries++) {
    await press(page, button)
    pasted.push(await into())
  }
  return pasted
}

describe.each(walkedIn('en'))('on plain http in a local network, in $language', (texts) => {
  const { language, keys, outside, account, shared } = texts

  test('copying works, in the page and in a dialog', async () => {
    const ada = await place.person()
    // With a key there is a list, and a field above it to paste into.
    await ada.ask('POST', '/api/keys', { name: 'first', group: 'default' })
    const { page, open } = await visit(place, { language, as: ada, origin, hasRealClipboard: true })
    await open('/keys')
    await eventually(() => page.evaluate('[isSecureContext, navigator.clipboard === undefined]')).toEqual([false, true])
    const search = page.getByRole('searchbox', { name: keys.search })
    const paste = async (): Promise<string> => {
      await search.fill('')
      await search.press('ControlOrMeta+v')
      return search.inputValue()
    }
    const openAi = `${keys.baseUrls.openai} · Base URL`
    expect(await copiesAndPastes(page, shared.copyItem(openAi), paste)).toContain(`${origin}/v1`)
    await search.fill('')
    await page.getByRole('button', { name: keys.create, exact: true }).first().click()
    const form = page.getByRole('dialog', { name: keys.form.title })
    await fill(form, keys.form.name, 'laptop')
    await press(form, keys.form.submit)
    const shown = page.getByRole('dialog', { name: keys.secret.title('laptop') })
    const copy = shown.getByRole('button', { name: keys.secret.copy, exact: true })
    await copy.click()
    await shown.getByRole('status').filter({ hasText: shared.copied }).first().waitFor({ state: 'attached' })
    const secret = /sk-tg-\w{46}/.exec(await shown.innerText())?.[0] ?? ''
    await press(shown, keys.secret.done)
    await shown.waitFor({ state: 'detached' })
    const pasted = await paste()
    // What another test copied meanwhile is not a key of this one.
    if (pasted.startsWith('sk-tg-')) expect(pasted).toBe(secret)
    expect((await place.call(secret, undefined, '/v1/chat/completions')).status).toBe(402)
  })

  test('the sign-in offers a password alone, where no other way can be used', async () => {
    const ada = await place.person()
    const visitor = await visit(place, { language, origin })
    await visitor.open('/sign-in')
    await visitor.page.getByRole('button', { name: outside.signIn.action, exact: true }).waitFor()
    expect(await visitor.page.getByText(outside.signIn.or, { exact: true }).count()).toBe(0)
    await fill(visitor.page, outside.email, ada.email)
    await fill(visitor.page, outside.password, ada.password)
    await press(visitor.page, outside.signIn.action)
    await visitor.page.getByRole('heading', { name: shared.pages.overview, level: 1 }).waitFor()
    await visitor.open('/account?section=security')
    await reads(content(visitor.page), account.passkeys.needHttps(origin))
    await press(visitor.page, account.totp.turnOn)
    await visitor.page.getByRole('dialog', { name: account.totp.dialogTitle }).waitFor()
    await eventually(() => visitor.page.getByRole('button', { name: account.passkeys.add }).count()).toBe(0)
  })
})
