import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../support/test-servers.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// How the installation stands, and its backups.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace({ TOLLGATE_BACKUP_DIR: await temporaryDirectory() })
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

test.each(walkedIn('zh-CN'))(
  'an admin sees nodes and database, makes a backup and proves that it can be restored, in $language',
  async ({ language, system: t }) => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/system')
    await arrives(page, t.title)
    await reads(content(page), t.nodes.here)
    await reads(content(page), t.database.engines.sqlite)
    const backups = page.getByRole('region', { name: t.backups.title, exact: true }).first()
    await press(backups, t.backups.now)
    await reads(backups, new RegExp(t.backups.ended.backup('FILE', '.*').replace('FILE', 'tollgate-.*\\.db')))
    await press(backups, t.backups.rehearse)
    await reads(backups, new RegExp(t.backups.ended.rehearsal('FILE', '.*').replace('FILE', 'tollgate-.*\\.db')))
  },
)

test.each(walkedIn('en'))(
  'an auditor sees the same and can begin nothing, in $language',
  async ({ language, system: t }) => {
    const auditor = await place.person({ role: 'auditor' })
    const { page, open } = await visit(place, { language, as: auditor })
    await open('/admin/system')
    await reads(content(page), t.nodes.here)
    expect(await page.getByRole('button', { name: t.backups.now }).count()).toBe(0)
  },
)
