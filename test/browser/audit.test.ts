import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHere } from '../support/command-here.ts'
import { gatewayEnvironment } from '../support/gateway-process.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { content, eventually, reads, readsNoMore } from './reading.ts'
import { visit } from './visit.ts'

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

test.each(walkedIn('zh-CN'))(
  'changes by the command line are shown and found by its name, in $language',
  async ({ language, audit: t }) => {
    const eve = await place.person()
    const made = await runHere(gatewayEnvironment(place.directory, {}), ['account', 'role', eve.email, 'admin'])
    expect(made).toMatchObject({ code: 0 })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/audit')
    await reads(content(page), 'role user → admin')
    await reads(content(page), t.via.admin_token)
    const who = page.getByLabel(t.filters.actor, { exact: true })
    await who.fill(t.via.cli)
    await who.press('Enter')
    await readsNoMore(content(page), t.via.admin_token)
    await reads(content(page), 'role user → admin')
    await eventually(() => new URL(page.url()).searchParams.get('actor')).toBe('cli')
    expect(await who.inputValue()).toBe(t.via.cli)
  },
)
