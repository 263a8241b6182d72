import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import { changeAnnouncement, createAnnouncement, readAnnouncementsAgain } from '../../../api/announcement-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { LANGUAGES, LANGUAGE_NAMES } from '../../../language.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Field } from '../../../forms/field.tsx'
import { Form } from '../../../forms/form.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { type Submission, useSubmission } from '../../../forms/use-submission.ts'
import { timeZoneHere } from '../../../format/local-time.ts'
import { formatTimeZone } from '../../../format/time.ts'
import { usePreferences } from '../../../preferences.ts'
import { AnnouncementNotice } from '../../../shell/announcements.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { Select } from '../../../ui/select.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { AudienceFields } from './audience-fields.tsx'
import { type AnnouncementWish, changeOf, objectionsTo, settingsOf, wishOf } from './announcement-wish.ts'

/** An announcement that is new, edited, or new and like another. */
export default function AnnouncementForm(props: {
  /** null: a new one. */
  readonly announcement: AnnouncementView | null
  /** What the form begins with; null: nothing. */
  readonly like: AnnouncementView | null
  onClose(): void
}): ReactNode {
  const t = useTexts('announcements')
  const shared = useSharedTexts()
  const { language } = usePreferences()
  const queries = useQueryClient()
  const toast = useToast()
  const { onClose } = props
  const [timeZone] = useState(timeZoneHere)
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [announcement] = useState(props.announcement)
  const [wish, setWish] = useState((): AnnouncementWish => {
    const begun = wishOf(props.like, timeZone)
    return props.announcement === null ? { ...begun, starts: '', ends: '' } : begun
  })
  const change = (part: Partial<AnnouncementWish>): void => setWish({ ...wish, ...part })
  const close = (): void => {
    readAnnouncementsAgain(queries)
    onClose()
  }
  const submission = useSubmission({
    fields: ['title.en', 'title.zh-CN', 'text.en', 'text.zh-CN', 'audience', 'starts_at', 'ends_at'],
    check: () =>
      Object.fromEntries(
        Object.entries(objectionsTo(wish, { timeZone, nowMs: Date.now() })).map(([field, objection]) => [
          field,
          objection === 'required' ? shared.required : t.form[objection],
        ]),
      ),
    send: (key, overwritten) =>
      announcement === null
        ? createAnnouncement(settingsOf(wish, timeZone), key)
        : changeAnnouncement(
            announcement.id,
            changeOf(announcement, wish, timeZone),
            overwritten ?? announcement.version,
          ),
    onTheirs: close,
    onDone: ({ title }) => {
      toast({ text: announcement === null ? t.created(title[language]) : t.saved(title[language]) })
      close()
    },
  })
  const moment = (name: 'starts' | 'ends') => ({
    name: `${name}_at`,
    label: t.form[name],
    type: 'datetime-local',
    value: wish[name],
    onValue: (value: string) => change({ [name]: value }),
    error: submission.errorOf(`${name}_at`),
    isOptional: name === 'ends' || announcement === null,
  })
  return (
    <Drawer isOpen title={announcement === null ? t.new : t.form.editTitle} onClose={onClose}>
      <Form
        submission={submission}
        foot={
          <CancelOrSubmit
            submission={submission}
            action={announcement === null ? t.form.create : shared.save}
            onCancel={onClose}
          />
        }
      >
        <RadioCards<AnnouncementWish['kind']>
          label={t.form.kind}
          name="kind"
          value={wish.kind}
          onValue={(kind) => change({ kind })}
          options={[
            { value: 'notice', label: t.kinds.notice, detail: t.form.noticeHint },
            { value: 'maintenance', label: t.kinds.maintenance, detail: t.form.maintenanceHint },
          ]}
        />
        <Words wish={wish} change={change} submission={submission} />
        <Field name="level" label={t.form.level}>
          {(control) => (
            <Select
              {...control}
              value={wish.level}
              onValue={(level) => change({ level })}
              options={(['info', 'warning', 'critical'] as const).map((value) => ({ value, label: t.levels[value] }))}
            />
          )}
        </Field>
        <AudienceFields wish={wish} change={change} error={submission.errorOf('audience')} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...moment('starts')} hint={announcement === null ? t.form.startsHint : undefined} />
          <TextField {...moment('ends')} hint={t.form.endsHint} />
        </div>
        <p className="-mt-2 text-sm text-ink-3">{t.form.zone(formatTimeZone(timeZone, language, Date.now()))}</p>
        {wish.to !== 'signed_out' && (
          <RadioCards<AnnouncementWish['shows']>
            label={t.form.shows}
            name="shows"
            value={wish.shows}
            onValue={(shows) => change({ shows })}
            options={[
              { value: 'until_dismissed', label: t.form.untilDismissed },
              { value: 'once', label: t.form.once },
            ]}
          />
        )}
        <section aria-label={t.form.preview} className="grid gap-2">
          <h3 className="font-medium">{t.form.preview}</h3>
          {LANGUAGES.filter((each) => wish.title[each].trim() !== '').map((each) => (
            <div key={each} lang={each}>
              <AnnouncementNotice announcement={previewOf(wish, each, settingsOf(wish, timeZone).ends_at)} />
            </div>
          ))}
          {LANGUAGES.every((each) => wish.title[each].trim() === '') && (
            <p className="text-sm text-ink-3">{t.form.noPreview}</p>
          )}
        </section>
      </Form>
    </Drawer>
  )
}

/** As readers of one language see it, whichever is the admin's. */
function previewOf(wish: AnnouncementWish, language: 'en' | 'zh-CN', endsAt: string | null) {
  const only = (words: AnnouncementWish['title']) => ({ en: words[language], 'zh-CN': words[language] })
  return { kind: wish.kind, level: wish.level, title: only(wish.title), text: only(wish.text), ends_at: endsAt }
}

/** Title and text, in one language after the other. */
function Words(props: {
  readonly wish: AnnouncementWish
  change(part: Partial<AnnouncementWish>): void
  readonly submission: Submission
}): ReactNode {
  const t = useTexts('announcements').form
  const { wish, change, submission } = props
  return LANGUAGES.map((language) => (
    <div key={language} className="grid gap-3">
      <TextField
        name={`title.${language}`}
        label={t.titleIn(LANGUAGE_NAMES[language])}
        value={wish.title[language]}
        onValue={(value) => change({ title: { ...wish.title, [language]: value } })}
        error={submission.errorOf(`title.${language}`)}
        maxLength={200}
        lang={language}
        autoFocus={language === LANGUAGES[0]}
      />
      <Field
        name={`text.${language}`}
        label={t.textIn(LANGUAGE_NAMES[language])}
        error={submission.errorOf(`text.${language}`)}
        isOptional
      >
        {(control) => (
          <TextArea
            {...control}
            value={wish.text[language]}
            onChange={(event) => change({ text: { ...wish.text, [language]: event.currentTarget.value } })}
            maxLength={2_000}
            lang={language}
          />
        )}
      </Field>
    </div>
  ))
}
