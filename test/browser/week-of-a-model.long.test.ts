import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../support/test-servers.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, startPlaceIn } from './place.ts'
import { reads } from './reading.ts'
import { visit } from './visit.ts'

// What a model's own page says of the last seven days is what the list of models says of them.

const CLOCK = new URL('../faults/clock-of-gateway.ts', import.meta.url)
const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const MODEL = 'demo/echo'
// At midday, the day on which the seven days begin began before them.
const midday = new Date().setUTCHours(12, 30, 0, 0)

test.each(walkedIn('en'))('both count the same requests, in $language', async ({ language, prices: t }) => {
  const directory = await temporaryDirectory()
  const clockFile = join(await temporaryDirectory(), 'clock')
  const startAt = async (atMs: number, isFirstStart: boolean): Promise<OwnPlace> => {
    await writeFile(clockFile, String(atMs - Date.now()))
    const environment = { NODE_OPTIONS: `--import=${CLOCK.href}`, FAULTS_CLOCK_FILE: clockFile }
    return startPlaceIn(directory, environment, { isFirstStart })
  }
  const earlier = await startAt(midday - WEEK_MS - 2 * HOUR_MS, true)
  const ada = await earlier.person({ balance: '5' })
  const { body: key } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
  expect((await earlier.call(key.secret)).status).toBe(200)
  await earlier.stop()

  const place = await startAt(midday, false)
  onTestFinished(() => place.stop())
  for (const { status } of [await place.call(key.secret), await place.call(key.secret)]) expect(status).toBe(200)
  const { page, open, context } = await visit(place, { language, as: await place.person({ role: 'admin' }) })
  await context.clock.setFixedTime(midday + HOUR_MS / 4)
  await open('/admin/models')
  const opener = page.getByRole('button', { name: MODEL, exact: true })
  await reads(page.getByRole('row').filter({ has: opener }), /\s2\s/)
  await opener.click()
  await reads(page.getByRole('region', { name: t.facts }), t.weekText('2', '|').split('|', 1)[0] ?? '')
})
