import { expect, test } from 'vitest'
import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import { changeOf, validate, settingsOf, toForm } from './announcement-form.ts'

const timeZone = 'Asia/Shanghai'
const nowMs = Date.parse('2026-12-01T02:00:00Z')
const title = { en: 'News', 'zh-CN': '消息' }

const ANNOUNCED: AnnouncementView = {
  id: 'ann_1',
  version: 'v1',
  created_at: '2026-12-01T00:00:00Z',
  kind: 'notice',
  level: 'info',
  title,
  text: { en: '', 'zh-CN': '' },
  audience: { to: 'role', role: 'finance' },
  shows: 'once',
  starts_at: '2026-12-01T00:00:30Z',
  ends_at: null,
  state: 'running',
}

test('times are those of the reader’s zone, and what was not touched is not sent', () => {
  const form = toForm(ANNOUNCED, timeZone)
  expect(form.starts_at).toBe('2026-12-01T08:00')
  expect(changeOf(ANNOUNCED, form, timeZone)).toEqual({})
  expect(changeOf(ANNOUNCED, { ...form, ends_at: '2026-12-02T08:00', level: 'critical' }, timeZone)).toEqual({
    level: 'critical',
    ends_at: '2026-12-02T00:00:00Z',
  })
})

test('a new one begins now and has no end unless that is filled in', () => {
  const form = { ...toForm(null, timeZone), title: { en: ' News ', 'zh-CN': '消息' } }
  expect(settingsOf(form, timeZone)).toEqual({
    kind: 'notice',
    level: 'info',
    shows: 'until_dismissed',
    title,
    text: { en: '', 'zh-CN': '' },
    audience: { to: 'all' },
    ends_at: null,
  })
})

test('it takes titles in both languages, a group where it is for groups, and an end after its start', () => {
  const empty = toForm(null, timeZone)
  const problems = (part: object) => validate({ ...empty, title, ...part }, { timeZone, nowMs })
  expect(problems({ title: { en: 'News', 'zh-CN': ' ' } })).toEqual({})
  expect(problems({ title: { en: ' ', 'zh-CN': '消息' } })).toEqual({})
  expect(problems({ title: { en: ' ', 'zh-CN': '' } })).toEqual({ 'title.en': 'required' })
  expect(problems({ to: 'groups' })).toEqual({ audience: 'noGroups' })
  expect(problems({ ends_at: '2026-12-01T09:00' })).toEqual({ ends_at: 'endsFirst' })
  expect(problems({ ends_at: '2026-12-01T10:01' })).toEqual({})
  expect(problems({ starts_at: '2026-12-03T00:00', ends_at: '2026-12-02T00:00' })).toEqual({ ends_at: 'endsFirst' })
})
