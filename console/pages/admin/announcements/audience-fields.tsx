import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { groupsQuery } from '../../../api/groups.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import type { AnnouncementForm, AudienceKind } from './announcement-form.ts'
import { ROLES } from '../roles.ts'

const AUDIENCES: readonly AudienceKind[] = ['all', 'staff', 'signed_out', 'role', 'groups']

/** Who is to read an announcement. */
export function AudienceFields(props: {
  readonly form: AnnouncementForm
  change(part: Partial<AnnouncementForm>): void
  readonly error: string | undefined
}): ReactNode {
  const t = useTexts('announcements')
  const { roles } = useTexts('staff')
  const { form, change, error } = props
  const { data: groups } = useQuery({ ...groupsQuery, enabled: form.to === 'groups' })
  return (
    <>
      <SelectField
        name="to"
        label={t.form.audience}
        hint={t.form.audienceHints[form.to]}
        value={form.to}
        onValue={(to) => change({ to })}
        options={AUDIENCES.map((value) => ({ value, label: t.audiences[value] }))}
      />
      {form.to === 'role' && (
        <SelectField
          name="role"
          label={t.form.role}
          value={form.role}
          onValue={(role) => change({ role })}
          options={ROLES.map((value) => ({ value, label: roles[value] }))}
        />
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
