import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { groupsQuery } from '../../../api/groups.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { Select } from '../../../ui/select.tsx'
import type { AnnouncementWish, AudienceKind } from './announcement-wish.ts'
import { ROLES } from '../roles.ts'

const AUDIENCES: readonly AudienceKind[] = ['all', 'staff', 'signed_out', 'role', 'groups']

/** Who is to read an announcement. */
export function AudienceFields(props: {
  readonly wish: AnnouncementWish
  change(part: Partial<AnnouncementWish>): void
  readonly error: string | undefined
}): ReactNode {
  const t = useTexts('announcements')
  const { roles } = useTexts('staff')
  const { wish, change, error } = props
  const { data: groups } = useQuery({ ...groupsQuery, enabled: wish.to === 'groups' })
  return (
    <>
      <Field name="to" label={t.form.audience} hint={t.form.audienceHints[wish.to]}>
        {(control) => (
          <Select
            {...control}
            value={wish.to}
            onValue={(to) => change({ to })}
            options={AUDIENCES.map((value) => ({ value, label: t.audiences[value] }))}
          />
        )}
      </Field>
      {wish.to === 'role' && (
        <Field name="role" label={t.form.role}>
          {(control) => (
            <Select
              {...control}
              value={wish.role}
              onValue={(role) => change({ role })}
              options={ROLES.map((value) => ({ value, label: roles[value] }))}
            />
          )}
        </Field>
      )}
      {wish.to === 'groups' && (
        <Field name="audience" label={t.form.groups} error={error}>
          {(control) => (
            <MultiCombobox
              {...control}
              placeholder={t.form.pick}
              options={(groups?.data ?? []).map(({ name }) => ({ value: name, label: name }))}
              values={wish.groups}
              onValues={(chosen) => change({ groups: chosen })}
            />
          )}
        </Field>
      )}
    </>
  )
}
