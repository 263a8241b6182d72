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
  async ({ language, audit: t, accounts, shared }) => {
    const { roles } = accounts
    const becameAdmin = shared.labelled(accounts.columns.role, `${roles.user} → ${roles.admin}`)
    const eve = await place.person()
    const made = await runHere(gatewayEnvironment(place.directory, {}), ['account', 'role', eve.email, 'admin'])
    expect(made).toMatchObject({ code: 0 })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/audit')
    await reads(content(page), becameAdmin)
    await reads(content(page), t.via.admin_token)
    const who = page.getByLabel(t.filters.actor, { exact: true })
    await who.fill(t.via.cli)
    await who.press('Enter')
    await readsNoMore(content(page), t.via.admin_token)
    await reads(content(page), becameAdmin)
    await eventually(() => new URL(page.url()).searchParams.get('actor')).toBe('cli')
    expect(await who.inputValue()).toBe(t.via.cli)
  },
)

test.each(walkedIn('en'))(
  'an entry is a sentence with the name of its object, and shows below it what is kept, in $language',
  async ({ language, audit: t, key, shared }) => {
    const ada = await place.person({ balance: '1' })
    const { body } = await ada.ask('POST', '/api/keys', {
      name: 'nightly report',
      group: 'default',
      quota_limit: '0.25',
    })
    await ada.ask('PATCH', `/api/keys/${body.key.id}`, { quota_limit: '0.28' })
    // gravitational/teleport 49053: what was deleted had lost its name.
    const { body: group } = await place.admin('POST', '/api/groups', { name: 'gone soon' })
    await place.admin('DELETE', `/api/groups/${group.id}`)
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/audit?q=${group.id}`)
    await reads(page.getByRole('row').filter({ hasText: t.sentences['group.delete'] ?? '' }), 'gone soon')
    await open(`/admin/audit?q=${body.key.id}&action=key.`)
    const row = page.getByRole('row').filter({ hasText: t.sentences['key.update'] ?? '' })
    await reads(row, 'nightly report')
    await reads(row, ada.email)
    await reads(row, shared.labelled(key.detail.fields['quota_limit'] ?? '', '$0.25 → $0.28'))
    await readsNoMore(row, body.key.id)
    await row.getByRole('button', { name: t.rawOf(`${t.sentences['key.update']} · nightly report`) }).click()
    await reads(row, '"key.update"')
    await reads(row, body.key.id)
  },
)
