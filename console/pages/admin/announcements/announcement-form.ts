import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import type { AnnouncementSettings } from '../../../api/announcement-admin.ts'
import { changedFields } from '../kit/changed-fields.ts'
import { localInputOf, momentOfLocalInput, timeText } from '../../../format/local-time.ts'

type Role = Extract<AnnouncementView['audience'], { to: 'role' }>['role']
export type AudienceKind = AnnouncementView['audience']['to']

/** Words in both languages. Where one is empty, its readers get the other. */
type Words = Readonly<Record<'en' | 'zh-CN', string>>

/** What is written in the form of an announcement. Times as their fields have them; empty: from now on, without an end. */
export interface AnnouncementForm {
  readonly kind: AnnouncementView['kind']
  readonly level: AnnouncementView['level']
  readonly shows: AnnouncementView['shows']
  readonly title: Words
  readonly text: Words
  readonly to: AudienceKind
  readonly role: Role
  readonly groups: readonly string[]
  readonly starts_at: string
  readonly ends_at: string
}

/** The form of an announcement as it is; null: of a new one. */
export function toForm(announcement: AnnouncementView | null, timeZone: string): AnnouncementForm {
  if (announcement === null) return EMPTY
  const { kind, level, shows, title, text, audience, starts_at: starts, ends_at: ends } = announcement
  return {
    kind,
    level,
    shows,
    title: inFewestWords(title),
    text: inFewestWords(text),
    to: audience.to,
    role: audience.to === 'role' ? audience.role : EMPTY.role,
    groups: audience.to === 'groups' ? audience.groups : [],
    starts_at: localInputOf(Date.parse(starts), timeZone),
    ends_at: ends === null ? '' : localInputOf(Date.parse(ends), timeZone),
  }
}

const EMPTY: AnnouncementForm = {
  kind: 'notice',
  level: 'info',
  shows: 'until_dismissed',
  title: { en: '', 'zh-CN': '' },
  text: { en: '', 'zh-CN': '' },
  to: 'all',
  role: 'user',
  groups: [],
  starts_at: '',
  ends_at: '',
}

type Problem = 'required' | 'noGroups' | 'endsFirst'

/** What is wrong with the form, by its fields; empty: nothing. `nowMs`: when an empty start would be. */
export function validate(
  { title, to, groups, starts_at: starts, ends_at: ends }: AnnouncementForm,
  { timeZone, nowMs }: { readonly timeZone: string; readonly nowMs: number },
): Readonly<Record<string, Problem>> {
  const from = momentOfLocalInput(starts, timeZone) ?? nowMs
  const until = momentOfLocalInput(ends, timeZone)
  return {
    ...(inBoth(title).en === '' ? { 'title.en': 'required' } : {}),
    ...(to === 'groups' && groups.length === 0 ? { audience: 'noGroups' } : {}),
    ...(until !== undefined && until <= from ? { ends_at: 'endsFirst' } : {}),
  }
}

export function settingsOf(form: AnnouncementForm, timeZone: string): AnnouncementSettings {
  const from = momentOfLocalInput(form.starts_at, timeZone)
  const until = momentOfLocalInput(form.ends_at, timeZone)
  const { kind, level, shows, title, text } = form
  return {
    kind,
    level,
    shows,
    title: inBoth(title),
    text: inBoth(text),
    audience: audienceOf(form),
    ...(from === undefined ? {} : { starts_at: timeText(from) }),
    ends_at: until === undefined ? null : timeText(until),
  }
}

function inBoth(words: Words): Words {
  const [en, zh] = [words.en.trim(), words['zh-CN'].trim()]
  return { en: en === '' ? zh : en, 'zh-CN': zh === '' ? en : zh }
}

function inFewestWords(words: Words): Words {
  return words.en === words['zh-CN'] ? { en: words.en, 'zh-CN': '' } : words
}

/** The settings that the form changes. */
export function changeOf(
  announcement: AnnouncementView,
  form: AnnouncementForm,
  timeZone: string,
): Partial<AnnouncementSettings> {
  return changedFields(settingsOf(toForm(announcement, timeZone), timeZone), settingsOf(form, timeZone))
}

function audienceOf({ to, role, groups }: AnnouncementForm): AnnouncementView['audience'] {
  if (to === 'role') return { to, role }
  return to === 'groups' ? { to, groups: [...groups] } : { to }
}
