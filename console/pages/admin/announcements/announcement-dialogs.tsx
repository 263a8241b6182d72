import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import {
  type AnnouncementSettings,
  changeAnnouncement,
  createAnnouncement,
  deleteAnnouncement,
} from '../../../api/announcement-admin.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { timeZoneHere } from '../../../format/local-time.ts'
import { formatTimeZone } from '../../../format/time.ts'
import { Field } from '../../../forms/field.tsx'
import { FormDrawer } from '../../../forms/form-dialog.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextAreaField, TextField } from '../../../forms/text-field.tsx'
import { LANGUAGE_NAMES, LANGUAGES } from '../../../language.ts'
import { usePreferences } from '../../../preferences.ts'
import { AnnouncementNotice } from '../../../shell/announcements.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { DeleteDialog } from '../kit/delete-dialog.tsx'
import type { AskedDialog } from '../kit/resource-page.tsx'
import { type FormState, useForm } from '../../../forms/use-form.ts'
import { ROLES } from '../roles.ts'
import {
  type AnnouncementForm,
  type AudienceKind,
  changeOf,
  settingsOf,
  toForm,
  validate,
} from './announcement-form.ts'

/** The dialogs of an announcement, as the address names them. */
export type AnnouncementStep = 'edit' | 'copy' | 'delete'

/** The dialog of an announcement that the address names. */
export default function AnnouncementDialogs(props: {
  readonly asked: AskedDialog<AnnouncementView, AnnouncementStep>
  onClose(): void
}): ReactNode {
  const t = useTexts('announcements').deleting
  const { language } = usePreferences()
  const { step, item } = props.asked
  const { onClose } = props
  if (step !== 'delete') {
    return <EditAnnouncement announcement={step === 'edit' ? item : null} like={item} onClose={onClose} />
  }
  return (
    <DeleteDialog
      name={item.title[language]}
      texts={t}
      send={() => deleteAnnouncement(item.id)}
      refreshes={['announcements']}
      onClose={onClose}
    >
      <p>{t.text}</p>
    </DeleteDialog>
  )
}

/** An announcement that is new, edited, or new and like another. */
function EditAnnouncement(props: {
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
      return announcement === null ? { ...begun, starts_at: '', ends_at: '' } : begun
    },
    keptAs: `announcement ${announcement?.id} ${announcement?.version}`,
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
  const { values } = form
  const isNew = announcement === null
  return (
    <FormDrawer
      form={form}
      title={isNew ? t.new : t.form.editTitle}
      action={isNew ? t.form.create : undefined}
      onClose={onClose}
    >
      <RadioCards
        {...form.choice('kind', t.form.kind)}
        options={[
          { value: 'notice', label: t.kinds.notice, detail: t.form.noticeHint },
          { value: 'maintenance', label: t.kinds.maintenance, detail: t.form.maintenanceHint },
        ]}
      />
      <Words form={form} />
      <SelectField
        {...form.choice('level', t.form.level)}
        options={(['info', 'warning', 'critical'] as const).map((value) => ({ value, label: t.levels[value] }))}
      />
      <AudienceFields form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.text('starts_at', t.form.starts)}
          type="datetime-local"
          isOptional={isNew}
          hint={isNew ? t.form.startsHint : undefined}
        />
        <TextField {...form.text('ends_at', t.form.ends)} type="datetime-local" isOptional hint={t.form.endsHint} />
      </div>
      <p className="-mt-2 text-sm text-ink-3">{t.form.zone(formatTimeZone(timeZone, language, Date.now()))}</p>
      {values.to !== 'signed_out' && (
        <RadioCards
          {...form.choice('shows', t.form.shows)}
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
            <AnnouncementNotice announcement={previewOf(settingsOf(values, timeZone), each)} />
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
function previewOf({ kind, level, title, text, ends_at }: AnnouncementSettings, language: 'en' | 'zh-CN') {
  const only = (words: AnnouncementForm['title']) => ({ en: words[language], 'zh-CN': words[language] })
  return { kind, level, title: only(title), text: only(text), ends_at }
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

const AUDIENCES: readonly AudienceKind[] = ['all', 'staff', 'signed_out', 'role', 'groups']

/** Who is to read an announcement. */
function AudienceFields({ form }: { readonly form: FormState<AnnouncementForm> }): ReactNode {
  const t = useTexts('announcements')
  const { roles } = useTexts('staff')
  const { to, groups: chosen } = form.values
  const { data: groups } = useQuery({ ...groupsQuery, enabled: to === 'groups' })
  return (
    <>
      <SelectField
        {...form.choice('to', t.form.audience)}
        hint={t.form.audienceHints[to]}
        options={AUDIENCES.map((value) => ({ value, label: t.audiences[value] }))}
      />
      {to === 'role' && (
        <SelectField
          {...form.choice('role', t.form.role)}
          options={ROLES.map((value) => ({ value, label: roles[value] }))}
        />
      )}
      {to === 'groups' && (
        <Field name="audience" label={t.form.groups} error={form.errorOf('audience')}>
          {(control) => (
            <MultiCombobox
              {...control}
              placeholder={t.form.pick}
              options={(groups?.data ?? []).map(({ name }) => ({ value: name, label: name }))}
              values={chosen}
              onValues={(names) => form.change({ groups: names })}
            />
          )}
        </Field>
      )}
    </>
  )
}
