import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../console/admin-pages.ts'
import { LANGUAGES, type Texts, walkedIn } from './languages.ts'
import { type Person, type Place, sharedPlace } from './place.ts'
import { palette } from './palette-keys.ts'
import { content, eventually } from './reading.ts'
import { visit } from './visit.ts'

// Copy as API call: what a page asks for, as a line that a shell can run.

const run = promisify(execFile)

let place: Place
let root: Person
let token: string
let ids: Readonly<Record<string, string>>
beforeAll(async () => {
  place = await sharedPlace()
  root = await place.person({ role: 'admin' })
  const { body } = await root.ask('POST', '/api/tokens', { name: 'shell', scope: 'read' })
  token = body.secret
  const first = async (path: string): Promise<string> => (await place.admin('GET', path)).body.data[0].id
  ids = { $upstreamId: await first('/api/upstreams'), $modelId: await first('/api/models'), $accountId: root.id }
})

/** Runs it as it was copied; returns the JSON that comes. */
async function runLine(line: string): Promise<{ readonly data?: unknown }> {
  expect(line).not.toContain(token)
  const { stdout } = await run('sh', ['-c', line], { env: { ...process.env, TOLLGATE_ACCESS_TOKEN: token } })
  return JSON.parse(stdout)
}

const [english] = LANGUAGES

/** Copies the call of the page as it stands, by the palette. */
async function copyCall(page: Page, texts: Texts): Promise<void> {
  const { copyCall: action } = texts.shell.actions
  const box = await palette(page, texts)
  await box.fill(action)
  await page.getByRole('option', { name: action }).click()
}

test.each(Object.values(ADMIN_PATHS))('the call of %s runs in a shell', async (path) => {
  const { page, open, copied } = await visit(place, { language: english.language, as: root })
  await open(path.replace(/\$\w+/, (name) => ids[name] ?? name))
  await content(page).getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('button', { name: english.shell.actions.copyCall }).count()).toBe(0)
  await copyCall(page, english)
  await eventually(() => copied.length).toBe(1)
  const answer = await runLine(copied[0] ?? '')
  expect(answer, copied[0]).not.toHaveProperty('code')
  expect(Object.keys(answer).length).toBeGreaterThan(0)
})

test.each(walkedIn('en'))('the call of a list has the filter of the page, in $language', async (texts) => {
  const { language, shared } = texts
  const { page, open, copied } = await visit(place, { language, as: root })
  await open(`/admin/accounts?role=admin&q=${encodeURIComponent(root.email)}`)
  await content(page).getByRole('button', { name: root.email, exact: true }).waitFor()
  await copyCall(page, texts)
  await page.getByRole('status').filter({ hasText: shared.copied }).first().waitFor({ state: 'attached' })
  expect(copied[0]).toContain('role=admin')
  expect((await runLine(copied[0] ?? '')).data).toEqual([expect.objectContaining({ email: root.email })])
})

test.each(walkedIn('zh-CN'))('on the pages of accounts the palette copies it, in $language', async (texts) => {
  const { language, shared } = texts
  const { page, open, copied } = await visit(place, { language, as: root })
  for (const path of ['/keys', '/usage', '/models', '/billing', '/account']) {
    await open(path)
    await content(page).getByRole('heading', { level: 1 }).waitFor()
    await copyCall(page, texts)
    await page.getByRole('status').filter({ hasText: shared.copied }).first().waitFor()
    expect(await runLine(copied.splice(0)[0] ?? ''), path).not.toHaveProperty('code')
  }
})
