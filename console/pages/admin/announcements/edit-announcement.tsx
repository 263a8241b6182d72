import { useState, type ReactNode } from 'react'
import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import { changeAnnouncement, createAnnouncement } from '../../../api/announcement-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { LANGUAGES, LANGUAGE_NAMES } from '../../../language.ts'
import { TextAreaField, TextField } from '../../../forms/text-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { timeZoneHere } from '../../../format/local-time.ts'
import { formatTimeZone } from '../../../format/time.ts'
import { usePreferences } from '../../../preferences.ts'
import { AnnouncementNotice } from '../../../shell/announcements.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { FormDrawer } from '../../../forms/form-dialog.tsx'
import { type FormState, useForm } from '../../../forms/use-form.ts'
import { type AnnouncementForm, changeOf, settingsOf, toForm, validate } from './announcement-form.ts'
import { AudienceFields } from './audience-fields.tsx'

/** An announcement that is new, edited, or new and like another. */
export default function EditAnnouncement(props: {
  /** null: a new one. */
  readonly announcement: AnnouncementView | null
  /** What the form begins with; null: nothing. */
  readonly like: AnnouncementView | null
  onClose(): void
}): ReactNode {
  const t = useTexts('announcements')
  const { language } = usePreferences()
  const { onClose } = props
  const [timeZone] = useState(timeZoneHere)
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [announcement] = useState(props.announcement)
  const form = useForm({
    initial: () => {
      const begun = toForm(props.like, timeZone)
      return announcement === null ? { ...begun, starts: '', ends: '' } : begun
    },
    fields: ['title.en', 'title.zh-CN', 'text.en', 'text.zh-CN', 'audience', 'starts_at', 'ends_at'],
    validate: (values) => validate(values, { timeZone, nowMs: Date.now() }),
    messages: t.form,
    send: (values, { key, version }) =>
      announcement === null
        ? createAnnouncement(settingsOf(values, timeZone), key)
        : changeAnnouncement(
            announcement.id,
            changeOf(announcement, values, timeZone),
            version ?? announcement.version,
          ),
    done: ({ title }) => (announcement === null ? t.created(title[language]) : t.saved(title[language])),
    refreshes: ['announcements'],
    onClose,
  })
  const { values, change } = form
  const moment = (name: 'starts' | 'ends') => ({
    name: `${name}_at`,
    label: t.form[name],
    type: 'datetime-local',
    value: values[name],
    onValue: (value: string) => change({ [name]: value }),
    error: form.errorOf(`${name}_at`),
    isOptional: name === 'ends' || announcement === null,
  })
  return (
    <FormDrawer
      form={form}
      title={announcement === null ? t.new : t.form.editTitle}
      action={announcement === null ? t.form.create : undefined}
      onClose={onClose}
    >
      <RadioCards<AnnouncementForm['kind']>
        label={t.form.kind}
        name="kind"
        value={values.kind}
        onValue={(kind) => change({ kind })}
        options={[
          { value: 'notice', label: t.kinds.notice, detail: t.form.noticeHint },
          { value: 'maintenance', label: t.kinds.maintenance, detail: t.form.maintenanceHint },
        ]}
      />
      <Words form={form} />
      <SelectField
        name="level"
        label={t.form.level}
        value={values.level}
        onValue={(level) => change({ level })}
        options={(['info', 'warning', 'critical'] as const).map((value) => ({ value, label: t.levels[value] }))}
      />
      <AudienceFields form={values} change={change} error={form.errorOf('audience')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...moment('starts')} hint={announcement === null ? t.form.startsHint : undefined} />
        <TextField {...moment('ends')} hint={t.form.endsHint} />
      </div>
      <p className="-mt-2 text-sm text-ink-3">{t.form.zone(formatTimeZone(timeZone, language, Date.now()))}</p>
      {values.to !== 'signed_out' && (
        <RadioCards<AnnouncementForm['shows']>
          label={t.form.shows}
          name="shows"
          value={values.shows}
          onValue={(shows) => change({ shows })}
          options={[
            { value: 'until_dismissed', label: t.form.untilDismissed },
            { value: 'once', label: t.form.once },
          ]}
        />
      )}
      <section aria-label={t.form.preview} className="grid gap-2">
        <h3 className="font-medium">{t.form.preview}</h3>
        {LANGUAGES.filter((each) => values.title[each].trim() !== '').map((each) => (
          <div key={each} lang={each}>
            <AnnouncementNotice announcement={previewOf(values, each, settingsOf(values, timeZone).ends_at)} />
          </div>
        ))}
        {LANGUAGES.every((each) => values.title[each].trim() === '') && (
          <p className="text-sm text-ink-3">{t.form.noPreview}</p>
        )}
      </section>
    </FormDrawer>
  )
}

/** The announcement as readers of one language see it, whichever is the admin's. */
function previewOf(form: AnnouncementForm, language: 'en' | 'zh-CN', endsAt: string | null) {
  const only = (words: AnnouncementForm['title']) => ({ en: words[language], 'zh-CN': words[language] })
  return { kind: form.kind, level: form.level, title: only(form.title), text: only(form.text), ends_at: endsAt }
}

/** Title and text, in one language after the other. */
function Words({ form }: { readonly form: FormState<AnnouncementForm> }): ReactNode {
  const t = useTexts('announcements').form
  const { values, change, errorOf } = form
  return LANGUAGES.map((language) => (
    <div key={language} className="grid gap-3">
      <TextField
        name={`title.${language}`}
        label={t.titleIn(LANGUAGE_NAMES[language])}
        value={values.title[language]}
        onValue={(value) => change({ title: { ...values.title, [language]: value } })}
        error={errorOf(`title.${language}`)}
        maxLength={200}
        lang={language}
        autoFocus={language === LANGUAGES[0]}
      />
      <TextAreaField
        name={`text.${language}`}
        label={t.textIn(LANGUAGE_NAMES[language])}
        error={errorOf(`text.${language}`)}
        isOptional
        value={values.text[language]}
        onValue={(text) => change({ text: { ...values.text, [language]: text } })}
        maxLength={2_000}
        lang={language}
      />
    </div>
  ))
}
