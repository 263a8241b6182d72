import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PATIENCE_MS } from '../support/patience.ts'
import { LANGUAGES } from './languages.ts'
import { type Place, startPlace } from './place.ts'
import { content, fill, hears, press, reads } from './reading.ts'
import { visit } from './visit.ts'
import { furnishWrongly, make, type Printed, type WrongPlace, type WrongTurn, wrongTurns } from './wrong-turns.ts'

let place: Place
let wrong: WrongPlace
beforeAll(async () => {
  place = await startPlace()
  wrong = await furnishWrongly(place)
})
afterAll(async () => {
  wrong.stop()
  await place.stop()
})

const SECRET = /sk-tg-\w{46}/

describe.each(LANGUAGES)('in $language', ({ language, start, shared, diagnose, refusals, usage }) => {
  test('each wrong turn is explained by its own facts, on Start, in Usage and in Diagnose', async () => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language, as: ada })
    await open('/start')
    await press(page, start.key.create)
    await page.getByRole('radio', { name: 'curl', exact: true }).check()
    const steps = page.getByRole('list', { name: start.steps })
    await reads(steps, SECRET)
    const secret = SECRET.exec(await steps.innerText())?.[0] ?? ''
    const { body: keys } = await ada.ask('GET', '/api/keys')
    const turns = wrongTurns({ place, wrong, person: ada, key: { id: keys.data[0].id, secret } })
    const made: { readonly turn: WrongTurn; readonly printed: Printed }[] = []
    for (const turn of turns) {
      await turn.before?.()
      const printed = await make(place, turn)
      made.push({ turn, printed })
      for (const said of turn.says[language]) await isSaid(page.getByRole('status'), said, `${turn.name}, on Start`)
    }
    // The gateway understands a base URL without /v1, and with it twice.
    const right = { name: '/v1/v1', says: { en: [], 'zh-CN': [] } }
    for (const path of ['/chat/completions', '/v1/v1/chat/completions']) {
      expect((await make(place, { ...right, request: { key: secret, path } })).status).toBe(200)
    }
    await hears(page, start.success.title)

    for (const { turn, printed } of made) {
      await open(`/usage?record=${printed.id}`)
      const drawer = page.getByRole('dialog')
      for (const said of turn.says[language]) await isSaid(drawer, said, `${turn.name}, in the drawer`)
      await reads(drawer, printed.id)
    }
    await press(page.getByRole('dialog'), shared.close)
    // What has no record stands above the list.
    const unknown = page.getByRole('region', { name: refusals.unknown.title })
    for (const { turn } of made.filter(({ turn: { isUnknown } }) => isUnknown === true)) {
      for (const said of turn.says[language]) await isSaid(unknown, said, `${turn.name}, in Usage`)
    }
    const { body: listed } = await ada.ask('GET', '/api/usage?limit=100')
    const ids = listed.data.map(({ id }: { id: string }) => id)
    for (const { turn, printed } of made) expect(ids.includes(printed.id), turn.name).toBe(turn.isUnknown !== true)
    await page.getByRole('region', { name: usage.records }).waitFor()

    for (const { turn, printed } of made) await diagnosed(page, turn, printed.text)
    // Of these there is no record, and yet the ID in the response's header leads to them.
    for (const { turn, printed } of made.filter(({ turn: { isUnknown } }) => isUnknown === true)) {
      await diagnosed(page, turn, `x-request-id: ${printed.id}`)
    }
  }, 600_000)

  async function diagnosed(page: Page, turn: WrongTurn, pasted: string): Promise<void> {
    await page.goto('/console/diagnose')
    await fill(page, diagnose.paste, pasted)
    await press(page, diagnose.submit)
    const answer = content(page).getByRole('region', { name: diagnose.answer })
    for (const said of turn.says[language]) await isSaid(answer, said, `${turn.name}, in Diagnose, by ${pasted}`)
  }
})

/** `about`: of which mistake, and on which page. */
async function isSaid(where: Locator, said: string | RegExp, about: string): Promise<void> {
  const found = where.filter({ hasText: said }).first()
  try {
    await found.waitFor({ state: 'attached', timeout: PATIENCE_MS })
  } catch {
    const shown = await where.allInnerTexts()
    throw new Error(`${about}: ${String(said)} is not said; ${shown.join(' | ').slice(0, 1_500)}`)
  }
}
