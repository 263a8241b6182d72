import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANNOUNCEMENTS_LIMIT } from '../../src/core/limits.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const HOUR_MS = 3_600_000
const TITLE = { en: 'A new model', 'zh-CN': '新模型上线' }

describe.each(ENGINES_ABOVE_STORES)('announcements on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  let user: Asker

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    await control.group('vip')
    admin = await control.account({ role: 'admin' })
    user = await control.account()
    await user.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
  })
  afterAll(() => control.close())

  const announced = async (fields: object = {}) => {
    // Ids of the same millisecond have no order.
    control.clock.advance(1)
    const { status, body, text } = await admin.ask('POST', '/api/announcements', { title: TITLE, ...fields })
    expect(status, text).toBe(201)
    return body as { id: string }
  }
  const seenBy = async (reader: Asker) => {
    const { body } = await reader.ask('GET', '/api/announcements')
    return (body.data as { id: string }[]).map(({ id }) => id)
  }
  const at = (hours: number) => new Date(control.clock.now() + hours * HOUR_MS).toISOString()

  test('one is read in both languages by all accounts, newest first, until its account dismisses it', async () => {
    const first = await announced()
    const second = await announced({ level: 'warning', shows: 'once', text: { en: 'More.', 'zh-CN': '详情。' } })
    const { body } = await user.ask('GET', '/api/announcements')
    expect(body.data[0]).toMatchObject({
      id: second.id,
      kind: 'notice',
      level: 'warning',
      title: TITLE,
      text: { en: 'More.', 'zh-CN': '详情。' },
      shows: 'once',
      state: 'running',
      ends_at: null,
    })
    expect(await seenBy(user)).toEqual([second.id, first.id])
    for (let i = 0; i < 2; i++) {
      expect((await user.ask('POST', `/api/announcements/${second.id}/dismiss`)).status).toBe(204)
    }
    expect(await seenBy(user)).toEqual([first.id])
    expect(await seenBy(admin)).toEqual([second.id, first.id])
  })

  test('one that an account is not shown is dismissed by it no more than one that is not there', async () => {
    const hidden = [
      await announced({ audience: { to: 'staff' } }),
      await announced({ audience: { to: 'role', role: 'auditor' } }),
      await announced({ audience: { to: 'groups', groups: ['vip'] } }),
      await announced({ audience: { to: 'signed_out' } }),
      await announced({ starts_at: at(1) }),
      { id: 'ann_00000000000000000000000000' },
    ]
    const answers = await Promise.all(
      hidden.map(async ({ id }) => {
        const { status, body } = await user.ask('POST', `/api/announcements/${id}/dismiss`)
        return { status, code: body.code, detail: body.detail }
      }),
    )
    expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    for (const { id } of hidden.slice(0, 5)) await admin.ask('DELETE', `/api/announcements/${id}`)
  })

  test('one is shown from its start until its end', async () => {
    const later = await announced({ starts_at: at(1), ends_at: at(2) })
    expect(await seenBy(user)).not.toContain(later.id)
    control.clock.advance(HOUR_MS)
    expect(await seenBy(user)).toContain(later.id)
    control.clock.advance(HOUR_MS)
    expect(await seenBy(user)).not.toContain(later.id)
    const { body } = await admin.ask('GET', '/api/announcements?which=all')
    expect(body.data).toContainEqual(expect.objectContaining({ id: later.id, state: 'over' }))
    expect((await user.ask('GET', '/api/announcements?which=all')).body.code).toBe('role_insufficient')
  })

  test('one to a role or to groups is read by no other account', async () => {
    const toAdmins = await announced({ audience: { to: 'role', role: 'admin' } })
    const toVips = await announced({ audience: { to: 'groups', groups: ['vip'] } })
    const toDefault = await announced({ audience: { to: 'groups', groups: ['vip', 'default'] } })
    const seen = await seenBy(user)
    expect(seen).toContain(toDefault.id)
    expect(seen).not.toContain(toAdmins.id)
    expect(seen).not.toContain(toVips.id)
    expect(await seenBy(admin)).toContain(toAdmins.id)
    await user.ask('POST', '/api/keys', { name: 'vip', group: 'vip' })
    expect(await seenBy(user)).toContain(toVips.id)
  })

  test('one to staff is read by every role but user, and one to those who are signed out by no account', async () => {
    const auditor = await control.account({ role: 'auditor' })
    const toStaff = await announced({ audience: { to: 'staff' } })
    const title = { en: 'Moving', 'zh-CN': '迁移' }
    const endsAt = at(1)
    const outside = await announced({
      audience: { to: 'signed_out' },
      kind: 'maintenance',
      title,
      ends_at: endsAt,
    })
    const later = await announced({ audience: { to: 'signed_out' }, starts_at: at(1) })
    for (const reader of [auditor, admin]) expect(await seenBy(reader)).toContain(toStaff.id)
    expect(await seenBy(user)).not.toContain(toStaff.id)
    for (const reader of [user, admin]) expect(await seenBy(reader)).not.toContain(outside.id)
    const read = await control.anonymous.ask('GET', '/api/public/announcements')
    expect(read.body.data).toEqual([
      { id: outside.id, kind: 'maintenance', level: 'info', title, text: { en: '', 'zh-CN': '' }, ends_at: endsAt },
    ])
    control.clock.advance(HOUR_MS)
    const { body } = await control.anonymous.ask('GET', '/api/public/announcements')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([later.id])
  })

  test('a subscription makes an account a reader of what its groups announce', async () => {
    await control.group('members', { isOpen: false })
    const toMembers = await announced({ audience: { to: 'groups', groups: ['members'] } })
    const member = await control.account()
    expect(await seenBy(member)).not.toContain(toMembers.id)
    await admin.ask('POST', '/api/plans', { name: 'pro', groups: ['members'], days: 30, price: '20' })
    await admin.ask('POST', `/api/accounts/${member.account?.id ?? ''}/subscriptions`, { plan: 'pro' })
    expect(await seenBy(member)).toContain(toMembers.id)
    // One that only pays there makes no member of its account.
    await admin.ask('POST', '/api/plans', {
      name: 'pays everywhere',
      groups: ['default', 'members', 'vip'],
      opens_groups: false,
      days: 30,
      price: '20',
    })
    const payer = await control.account()
    await admin.ask('POST', `/api/accounts/${payer.account?.id ?? ''}/subscriptions`, { plan: 'pays everywhere' })
    expect(await seenBy(payer)).not.toContain(toMembers.id)
  })

  test('a change and a deletion are seen at once, and are in the audit with what they were', async () => {
    const { id } = await announced()
    control.clock.advance(1)
    const ended = await admin.ask('PATCH', `/api/announcements/${id}`, { level: 'critical', ends_at: at(1) })
    expect(ended.body).toMatchObject({ level: 'critical', title: TITLE, state: 'running' })
    control.clock.advance(1)
    const refused = await admin.ask('PATCH', `/api/announcements/${id}`, { ends_at: at(-48) })
    expect(refused).toMatchObject({ status: 422, body: { field: 'ends_at' } })
    expect((await admin.ask('DELETE', `/api/announcements/${id}`)).status).toBe(204)
    expect(await seenBy(user)).not.toContain(id)
    const { body } = await admin.ask('GET', `/api/audit?subject=${id}`)
    const [deleted, changed, created] = body.data
    expect(created).toMatchObject({ action: 'announcement.create', changes: { title: { before: null, after: TITLE } } })
    expect(changed.changes.level).toEqual({ before: 'info', after: 'critical' })
    expect(deleted).toMatchObject({ action: 'announcement.delete', changes: { level: { before: 'critical' } } })
  })

  test('names a group that is not there, and more than may be are refused', async () => {
    const nowhere = await admin.ask('POST', '/api/announcements', {
      title: TITLE,
      audience: { to: 'groups', groups: ['vip', 'nowhere'] },
    })
    expect(nowhere).toMatchObject({ status: 422, body: { field: 'audience.groups.1' } })
    const { body } = await admin.ask('GET', '/api/announcements?which=all&limit=200')
    for (let i = body.data.length; i < ANNOUNCEMENTS_LIMIT; i++) await announced()
    const one = await admin.ask('POST', '/api/announcements', { title: TITLE })
    expect(one).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})
