import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Furnished, furnish } from './furnish.ts'
import { LANGUAGES, walkedIn } from './languages.ts'
import { palette } from './palette-keys.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, reads } from './reading.ts'
import { visit } from './visit.ts'

// What those who run the place find with the palette, besides what everyone does: palette.test.ts.

const UPSTREAM = 'far away'

let place: OwnPlace
let ada: Furnished
let root: Person
let upstreamId: string
let modelId: string
beforeAll(async () => {
  place = await startPlace()
  ada = await furnish(place)
  root = await place.person({ role: 'admin' })
  const credentials = [{ name: 'default', secret: 'k' }]
  const upstream = { name: UPSTREAM, protocol: 'openai', base_url: 'http://127.0.0.1:1/v1', credentials }
  upstreamId = (await place.admin('POST', '/api/upstreams', upstream)).body.id
  await place.admin('POST', '/api/groups', { name: 'night owls' })
  modelId = (await place.admin('GET', '/api/models?search=demo%2Fecho')).body.data[0].id
})
afterAll(() => place.stop())

test.each(walkedIn('en'))(
  'it leads to accounts, keys of anyone, upstreams, groups, plans and prices, in $language',
  async (texts) => {
    const { language, shell } = texts
    const { parts } = shell.palette
    const plan = `pro of ${ada.email}`
    const ways = [
      { words: ada.email, part: parts.accounts, line: ada.email, path: `/admin/accounts/${ada.id}` },
      { words: ada.secret.slice(-4), part: parts.accountKeys, line: 'laptop', path: `/admin/accounts/${ada.id}` },
      { words: 'far aw', part: parts.upstreams, line: UPSTREAM, path: `/admin/upstreams/${upstreamId}` },
      { words: 'owls', part: parts.groups, line: 'night owls', path: '/admin/groups' },
      { words: plan, part: parts.plans, line: plan, path: '/admin/plans' },
      { words: 'demo/ech', part: parts.prices, line: 'demo/echo', path: `/admin/models/${modelId}` },
    ]
    const { page, open } = await visit(place, { language, as: root })
    await open('/models')
    await arrives(page, texts.shared.pages.models)
    for (const { words, part, line, path } of ways) {
      const box = await palette(page, texts)
      await box.fill(words)
      const found = page.getByRole('group', { name: part, exact: true }).getByRole('option')
      await eventually(() => found.allInnerTexts()).toEqual([expect.stringContaining(line)])
      await found.click()
      await box.waitFor({ state: 'detached' })
      await eventually(() => new URL(page.url()).pathname).toBe(`/console${path}`)
      await reads(content(page), line)
    }
  },
)

test('who does not run the place is neither shown what belongs to others nor asks for it', async () => {
  const [texts] = LANGUAGES
  const { shell, shared, language } = texts
  const { page, open } = await visit(place, { language, as: ada })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await open('/models')
  await arrives(page, shared.pages.models)
  const box = await palette(page, texts)
  await box.fill(root.email)
  await reads(page.getByRole('dialog'), shell.palette.none)
  await eventually(() => box.getAttribute('aria-busy')).toBe('false')
  expect(asked).toContain('/api/keys')
  expect(asked.filter((path) => /^\/api\/(accounts|upstreams|plans)$/.test(path))).toEqual([])
})
