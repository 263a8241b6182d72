import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, test } from 'vitest'
import { longTest } from '../support/run/long-test.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { eventually } from './reading.ts'
import { visit } from './visit.ts'

let place: OwnPlace
let origin: string
const PATH = '/tollgate'
const WORDS = 'could not load its files'
/** A site that has the console under a path, and pages of its own everywhere else. */
const site = createServer((request, response) => {
  const { method, url = '', headers } = request
  if (!url.startsWith(`${PATH}/`)) {
    response.writeHead(404, { 'content-type': 'text/html' })
    return void response.end('<title>Another site</title>')
  }
  const passing = ask(place.origin + url.slice(PATH.length), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  passing.on('error', () => response.destroy())
  request.pipe(passing)
})

beforeAll(async () => {
  place = await startPlace()
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
  await place.stop()
})

// from: new-usemame/Calibre-Web-NextGen#571, takitsu21/rustatio#183
test('under a path of another site the console works as it does at the root', async () => {
  const { page } = await visit(place, { language: 'en', origin: `${origin}${PATH}` })
  await page.goto(`${origin}${PATH}/console/keys`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await eventually(() => page.url()).toContain(`${origin}${PATH}/console/sign-in`)
})

longTest('an admin reads it where base URLs and links show another address than the one that was opened', async () => {
  const root = await place.person({ role: 'admin' })
  const address = `${origin.replace('127.0.0.1', 'tollgate.lan.test')}${PATH}`
  const { page, open } = await visit(place, { language: 'en', origin: address, as: root })
  await open('/admin')
  await page.getByText(`TOLLGATE_PUBLIC_URL=${address}`).waitFor()
})

test('where its files do not come it says so in both languages, instead of nothing', async () => {
  const { page } = await visit(place, { language: 'en', hasBadLine: true })
  await page.route('**/assets/**', (route) => route.abort())
  await page.goto(`${place.origin}/console/`)
  for (const words of [WORDS, '无法加载']) await page.getByText(words).waitFor()
})

test('at the root of a host nothing of that is shown, before its files are there or after', async () => {
  const { page } = await visit(place, { language: 'en', hasBadLine: true })
  // The styles are there, and the script is not.
  await page.route('**/*.js', (route) => route.abort())
  await page.goto(`${place.origin}/console/sign-in`)
  await page.getByText(WORDS).waitFor({ state: 'hidden' })
  await page.unrouteAll()
  await page.goto(`${place.origin}/console/sign-in`)
  await page.getByText(WORDS).waitFor({ state: 'detached' })
})
