import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { groupsQuery } from '../../../api/groups.ts'
import { announcementsDictionary } from '../../../dictionaries/announcements.ts'
import { staffDictionary } from '../../../dictionaries/staff.ts'
import { Field } from '../../../forms/field.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { Select } from '../../../ui/select.tsx'
import type { AnnouncementForm, AudienceKind } from './announcement-form.ts'
import { ROLES } from '../roles.ts'

const AUDIENCES: readonly AudienceKind[] = ['all', 'staff', 'signed_out', 'role', 'groups']

/** Who is to read an announcement. */
export function AudienceFields(props: {
  readonly form: AnnouncementForm
  change(part: Partial<AnnouncementForm>): void
  readonly error: string | undefined
}): ReactNode {
  const t = announcementsDictionary.useTexts()
  const { roles } = staffDictionary.useTexts()
  const { form, change, error } = props
  const { data: groups } = useQuery({ ...groupsQuery, enabled: form.to === 'groups' })
  return (
    <>
      <Field name="to" label={t.form.audience} hint={t.form.audienceHints[form.to]}>
        {(control) => (
          <Select
            {...control}
            value={form.to}
            onValue={(to) => change({ to })}
            options={AUDIENCES.map((value) => ({ value, label: t.audiences[value] }))}
          />
        )}
      </Field>
      {form.to === 'role' && (
        <Field name="role" label={t.form.role}>
          {(control) => (
            <Select
              {...control}
              value={form.role}
              onValue={(role) => change({ role })}
              options={ROLES.map((value) => ({ value, label: roles[value] }))}
            />
          )}
        </Field>
      )}
      {form.to === 'groups' && (
        <Field name="audience" label={t.form.groups} error={error}>
          {(control) => (
            <MultiCombobox
              {...control}
              placeholder={t.form.pick}
              options={(groups?.data ?? []).map(({ name }) => ({ value: name, label: name }))}
              values={form.groups}
              onValues={(chosen) => change({ groups: chosen })}
            />
          )}
        </Field>
      )}
    </>
  )
}
