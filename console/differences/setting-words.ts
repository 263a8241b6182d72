import { LANGUAGE_NAMES, LANGUAGES } from '../language.ts'
import type { SharedTexts } from '../dictionaries/shared-en.ts'
import { nameOf } from '../format/name-of.ts'
import { limitsText } from './account-words.ts'
import type { FieldWords, ValueFormat } from './difference-rows.ts'
import type { PageTexts } from '../dictionaries/page-texts.ts'

type Names = Readonly<Record<string, string>>

export function settingWords(
  { settings: t, shared }: { readonly settings: PageTexts['settings']; readonly shared: SharedTexts },
  format: ValueFormat,
): FieldWords {
  const names: readonly [string, string][] = Object.entries(t.settings).map(([field, { name }]) => [field, name])
  const registrations = Object.entries(t.registrations).map(([value, { name }]): [string, string] => [value, name])
  return {
    fields: Object.fromEntries(names),
    parts: { name: '', template: '' },
    empty: { ...Object.fromEntries(names.map(([field]) => [field, t.empty])), alert_template: t.standardTemplate },
    textOf: (name, value) => {
      if (typeof value === 'boolean') return value ? t.on : t.off
      return name === 'registration' ? nameOf(String(value), Object.fromEntries(registrations)) : null
    },
    phraseOf: (value, name) => {
      if (name === 'account_limits') return limitsText(value, t.limits, { shared, format })
      // It is written as JSON in its form.
      return name === 'alert_template' ? JSON.stringify(value) : null
    },
  }
}

export function paymentWords(
  texts: {
    readonly settings: PageTexts['paymentSettings']
    readonly payments: PageTexts['payments']
    readonly shared: SharedTexts
  },
  format: ValueFormat,
): FieldWords {
  const { form: t, parts } = texts.settings
  const { inBrackets } = texts.shared
  const both = { on: t.isOn, currency: t.currency, per_usd: t.perUsd }
  const of = (provider: string, names: Names): Names =>
    Object.fromEntries(Object.entries(names).map(([part, name]) => [part, inBrackets(name, provider)]))
  return {
    fields: {
      amounts: t.amounts,
      smallest: t.smallest,
      largest: t.largest,
      stripe: of(parts.stripe.name, {
        ...both,
        invoices: t.invoices,
        has_secret_key: t.secretKey,
        has_webhook_secret: t.webhookSecret,
      }),
      epay: of(parts.epay.name, { ...both, url: t.url, pid: t.pid, ways: t.ways, has_key: t.epayKey }),
    },
    textOf: (name, value) => {
      if (name === 'amounts' || name === 'smallest' || name === 'largest') return format.exactMoney(String(value))
      return name === 'ways' ? nameOf(String(value), texts.payments.topUp.ways) : null
    },
  }
}

export function announcementWords(texts: Pick<PageTexts, 'announcements' | 'accounts'>): FieldWords {
  const { form, ...t } = texts.announcements
  const each = (nameIn: (language: string) => string): Names =>
    Object.fromEntries(LANGUAGES.map((language) => [language, nameIn(LANGUAGE_NAMES[language])]))
  return {
    fields: {
      kind: form.kind,
      level: form.level,
      title: each(form.titleIn),
      text: each(form.textIn),
      audience: form.audience,
      shows: form.shows,
      starts_at: form.starts,
      ends_at: form.ends,
    },
    empty: { ends_at: t.noEnd },
    textOf: (name, value) => {
      if (name === 'kind') return nameOf(String(value), t.kinds)
      if (name === 'level') return nameOf(String(value), t.levels)
      return name === 'shows' ? nameOf(String(value), { once: form.once, until_dismissed: form.untilDismissed }) : null
    },
    phraseOf: (value, name) => {
      if (name !== 'audience') return null
      const { to, role, groups } = { to: '', role: null, groups: null, ...value } as Audience
      if (to === 'groups' && groups !== null) return t.toGroups(groups)
      if (to === 'role' && role !== null) return t.toRole(nameOf(role, texts.accounts.roles))
      return nameOf(to, t.audiences)
    },
  }
}

interface Audience {
  readonly to: string
  readonly role: string | null
  readonly groups: readonly string[] | null
}
