import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PATIENCE_MS } from '../support/patience.ts'
import { type Language, LANGUAGES, type Texts } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { fill, hears, press, reads } from './reading.ts'
import { goWithin, visit } from './visit.ts'
import { furnishWrongly, make, type Printed, type WrongPlace, type WrongTurn, wrongTurns } from './wrong-turns.ts'

let place: OwnPlace
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

interface Made {
  readonly turn: WrongTurn
  readonly printed: Printed
}

test('each wrong turn is explained by its own facts, on the overview, in Usage and in Diagnose, in both languages', async () => {
  const ada = await place.person()
  const windows: { readonly texts: Texts; readonly page: Page }[] = []
  let secret = ''
  for (const texts of LANGUAGES) {
    const { page, open } = await visit(place, { language: texts.language, as: ada })
    await open('/overview')
    if (secret === '') {
      await press(page, texts.start.key.create)
      const steps = page.getByRole('list', { name: texts.start.steps })
      await page.getByRole('radio', { name: 'curl', exact: true }).check()
      await reads(steps, SECRET)
      secret = SECRET.exec(await steps.innerText())?.[0] ?? ''
    } else await page.getByRole('radio', { name: 'curl', exact: true }).check()
    windows.push({ texts, page })
  }
  const { body: keys } = await ada.ask('GET', '/api/keys')
  const turns = wrongTurns({ place, wrong, person: ada, key: { id: keys.data[0].id, secret } })
  const made: Made[] = []
  for (const turn of turns) {
    await turn.before?.()
    made.push({ turn, printed: await make(place, turn) })
    // Both windows watch the same key.
    await inBoth(({ texts: { language }, page }) =>
      areSaid(page.getByRole('status'), turn.says[language], `${turn.name}, on Start`),
    )
  }
  // The gateway understands a base URL without /v1, and with it twice.
  const right = { name: '/v1/v1', says: { en: [], 'zh-CN': [] } }
  for (const path of ['/chat/completions', '/v1/v1/chat/completions']) {
    expect((await make(place, { ...right, request: { key: secret, path } })).status).toBe(200)
  }
  await inBoth(({ texts, page }) => hears(page, texts.start.success.title))
  const { body: listed } = await ada.ask('GET', '/api/usage?limit=100')
  const ids = listed.data.map(({ id }: { id: string }) => id)
  for (const { turn, printed } of made) expect(ids.includes(printed.id), turn.name).toBe(turn.isUnknown !== true)
  await inBoth(async ({ texts, page }) => {
    await isInUsage(page, texts, made)
    await isInDiagnose(page, texts, made)
  })

  async function inBoth(look: (window: (typeof windows)[number]) => Promise<void>): Promise<void> {
    await Promise.all(windows.map(look))
  }
}, 600_000)

async function isInUsage(page: Page, { language, shared, refusals, usage }: Texts, made: readonly Made[]) {
  await page.goto('/console/usage')
  for (const { turn, printed } of made) {
    await goWithin(page, `/usage?record=${printed.id}`)
    const drawer = page.getByRole('dialog')
    await reads(drawer, printed.id)
    await areSaid(drawer, turn.says[language], `${turn.name}, in the drawer`)
  }
  await press(page.getByRole('dialog'), shared.close)
  // What has no record stands above the list.
  const unknown = page.getByRole('region', { name: refusals.unknown.title })
  for (const { turn } of made.filter(({ turn: { isUnknown } }) => isUnknown === true)) {
    await areSaid(unknown, turn.says[language], `${turn.name}, in Usage`)
  }
  await page.getByRole('region', { name: usage.records }).waitFor()
}

async function isInDiagnose(page: Page, { language, diagnose }: Texts, made: readonly Made[]) {
  // Of those without a known key there is no record, and yet the ID in the response's header leads to them.
  const unknown = made.filter(({ turn: { isUnknown } }) => isUnknown === true)
  const pasted = [
    ...made.map(({ turn, printed }) => ({ turn, text: printed.text })),
    ...unknown.map(({ turn, printed }) => ({ turn, text: `x-request-id: ${printed.id}` })),
  ]
  await goWithin(page, '/diagnose')
  const answer = page.getByRole('region', { name: diagnose.answer })
  for (const { turn, text } of pasted) {
    await fill(page, diagnose.paste, text)
    await press(page, diagnose.submit)
    await areSaid(answer, turn.says[language], `${turn.name}, in Diagnose, by ${text}`)
  }
}

async function areSaid(where: Locator, facts: WrongTurn['says'][Language], about: string): Promise<void> {
  for (const said of facts) await isSaid(where, said, about)
}

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
