import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../support/test-servers.ts'
import { walkedIn } from './languages.ts'
import { type Place, startPlace } from './place.ts'
import { eventually, reads } from './reading.ts'
import { visit } from './visit.ts'

// What a model's own page says of the last seven days is what the list of models says of them.

const CLOCK = new URL('../faults/clock-of-gateway.ts', import.meta.url)
const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const SEEN_MS = 200
const MODEL = 'demo/echo'
// At midday the day on which the seven days begin began before them.
const midday = new Date().setUTCHours(12, 30, 0, 0)

let place: Place
let clockFile: string
beforeAll(async () => {
  clockFile = join(await temporaryDirectory(), 'clock')
  await turnClock(midday - WEEK_MS - 2 * HOUR_MS)
  place = await startPlace({ NODE_OPTIONS: `--import=${CLOCK.href}`, FAULTS_CLOCK_FILE: clockFile })
})
afterAll(() => place.stop())

async function turnClock(toMs: number): Promise<void> {
  await writeFile(clockFile, String(toMs - Date.now()))
}

test.each(walkedIn('en'))('both count the same requests, in $language', async ({ language, prices: t }) => {
  const ada = await place.person({ balance: '5' })
  const { body: key } = await ada.ask('POST', '/api/keys', { name: 'laptop' })
  const callOnce = async (): Promise<void> => expect((await place.call(key.secret)).status).toBe(200)
  await callOnce()
  await turnClock(midday)
  // Every thread has looked at the file by then.
  await eventually(async () => Date.parse((await ada.ask('GET', '/api/usage/summary')).body.to)).toBeGreaterThan(
    midday + SEEN_MS,
  )
  await callOnce()
  await callOnce()
  const { page, open, context } = await visit(place, { language, as: await place.person({ role: 'admin' }) })
  await context.clock.setFixedTime(midday + HOUR_MS / 2)
  await open('/admin/prices')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: MODEL, exact: true }) })
  await reads(row, /\s2\s/)
  await row.getByRole('link', { name: MODEL, exact: true }).click()
  await reads(page.getByRole('region', { name: t.facts }), t.weekText('2', '$0.00'))
})
