import type { Page } from 'playwright-core'
import { press } from '../../test/browser/reading.ts'
import type { Texts } from '../../test/browser/languages.ts'
import type { Place } from '../../test/browser/place.ts'
import { signInAs } from '../../test/browser/visit.ts'
import { furnishWrongly, make, wrongTurns } from '../../test/browser/wrong-turns.ts'

const SECRET = /sk-tg-\w{46}/

/** How long each wrong turn takes to be explained on Start, in milliseconds since the client got its answer. */
export async function explainedAfter(
  page: Page,
  { place, texts }: { readonly place: Place; readonly texts: Texts },
): Promise<readonly { readonly name: string; readonly ms: number }[]> {
  const { start } = texts
  const wrong = await furnishWrongly(place)
  try {
    const ada = await place.person()
    await signInAs(page.context(), { person: ada, origin: place.origin })
    await page.goto('/console/overview')
    await press(page, start.key.create)
    await page.getByRole('radio', { name: 'curl', exact: true }).check()
    const steps = page.getByRole('list', { name: start.steps }).filter({ hasText: SECRET })
    const secret = SECRET.exec(await steps.innerText())?.[0] ?? ''
    const { body: keys } = await ada.ask('GET', '/api/keys')
    const times: { name: string; ms: number }[] = []
    for (const turn of wrongTurns({ place, wrong, person: ada, key: { id: keys.data[0].id, secret } })) {
      await turn.before?.()
      await make(place, turn)
      const answeredAt = performance.now()
      for (const said of turn.says.en) {
        await page.getByRole('status').filter({ hasText: said }).first().waitFor({ state: 'attached' })
      }
      times.push({ name: turn.name, ms: performance.now() - answeredAt })
    }
    return times
  } finally {
    wrong.stop()
  }
}
